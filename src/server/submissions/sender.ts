/** Whoever sends a form, as far as the site remembers: by address, in memory, for minutes. */
export interface Sender {
  /** Counts what did not pass the bot check. Once there was too much of it: the seconds until there is room again. */
  countJunk(): number | null;
  /** Counts what passed. True once that is more than the people at one address send. */
  countPassed(): boolean;
}

/** Whoever sends a form, as far as the site remembers: by address, in memory, for minutes. */
export interface Sender {
  /** Counts what did not pass the bot check. Once there was too much of it: the seconds until there is room again. */
  countJunk(): number | null;
  /** Whether more forms were kept from there than the people at one address send. */
  hasSentMany(): boolean;
  /** Counts a form that was kept. One that is only sent again does not count. */
  countKept(): void;
  /** Counts a form that came without a script, and tells what there is room for. */
  countPlain(): PlainRoom;
}

/** Held: kept, but its mail waits and comes in one with others. Refused: not kept, for so many seconds. */
export type PlainRoom = { kind: 'open' | 'held' } | { kind: 'refused'; waitSeconds: number };

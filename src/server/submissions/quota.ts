import type { FormName } from '../../model/form-field.ts';

/** Whoever sends a form, as far as the site remembers: by address, in memory, for minutes. */
export interface ClientQuota {
  /** Counts what did not pass the bot check. Once there was too much of it: the seconds until there is room again. */
  countJunk(): number | null;
  /** Whether more forms were kept from there than the people at one address send. */
  hasSentMany(): boolean;
  /** Counts a form that was kept. One that is only sent again does not count. */
  countStored(): void;
  /** Counts a form that came without a script. Held: its mail waits, and comes in one with others. */
  countNoScript(): 'alone' | 'held';
  /** Counts a form that is about to be kept. */
  takeRank(): HourlyRank;
  /** Whether it is this site itself, by a mark on exactly these answers. Nobody else can make one. */
  isCanary?(form: FormName, entries: readonly { key: string; value: unknown }[]): boolean;
}

/** The site itself, which neither takes room from whoever shares its address nor is refused for what they send. */
export const unlimitedQuota: ClientQuota = {
  countJunk: () => null,
  hasSentMany: () => false,
  countStored: () => {},
  countNoScript: () => 'alone',
  takeRank: () => ({ rank: 1, release: () => {} }),
};

/** Which of the sender's forms within the hour it is, from 1 on. All that the store learns about a sender. */
export interface HourlyRank {
  rank: number;
  /** It was not kept after all. */
  release(): void;
}

import type { FormName } from '../../model/form-field.ts';

/** What the client of a request may still send. Counted by address, in memory, for minutes. */
export interface ClientQuota {
  /** Counts a form that did not pass the bot check. Returns null, or beyond the quota the seconds to wait. */
  countJunk(): number | null;
  /** Whether more forms were stored than the people at one address send. */
  hasSentMany(): boolean;
  /** Counts a form that was stored. A resend does not count. */
  countStored(): void;
  /** Counts a form without a script. `alone`: it is mailed at once. `held`: its mail waits for the next digest. */
  countNoScript(): 'alone' | 'held';
  /** Counts a form that is about to be stored. */
  takeRank(): HourlyRank;
  /** Whether the canary sent exactly these answers, by a mark that only this site can make. */
  isCanary?(form: FormName, entries: readonly { key: string; value: unknown }[]): boolean;
}

/** For the canary, which neither uses up the quota of its address nor is refused for what others send from there. */
export const unlimitedQuota: ClientQuota = {
  countJunk: () => null,
  hasSentMany: () => false,
  countStored: () => {},
  countNoScript: () => 'alone',
  takeRank: () => ({ rank: 1, release: () => {} }),
};

/** The number of the form among its client's within the hour, from 1. All that the store learns about a client. */
interface HourlyRank {
  rank: number;
  /** Takes the number back, because the form was not stored. */
  release(): void;
}

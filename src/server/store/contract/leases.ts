/**
 * A time further ahead than this was written by a clock that was wrong and has been corrected: it counts as passed, or
 * a request would wait for days. Twice the longest wait there is, since the clocks of several servers differ a little.
 */
export const plausibleMs = 30 * 60_000;

export function latestPlausible(now: Date): Date {
  return new Date(now.getTime() + plausibleMs);
}

/** What one of several servers does for all of them, every so often. */
export interface Turns {
  /**
   * True for one asker only, however many servers ask, where the last turn of that name was done `everyMs` ago. Whoever
   * has not finished it after `leaseMs` has lost it to the next.
   */
  claimTurn(name: string, now: Date, everyMs: number, leaseMs: number): Promise<boolean>;
  finishTurn(name: string, now: Date): Promise<void>;
}

/** What is written for a turn that is claimed: as if it had been done so long ago that it is due when the lease ends. */
export function turnTimes(now: Date, everyMs: number, leaseMs: number) {
  const dueMs = now.getTime() - everyMs;
  return { due: new Date(dueMs), leased: new Date(dueMs + leaseMs), far: latestPlausible(now) };
}

/**
 * What is done every so often, once for all servers that share a database. Each time it is due has a moment of its own that
 * all of them agree on, whatever their clocks say to the minute: last Monday at eight, say.
 */
export interface ChoreBook {
  /**
   * Takes what was due at this moment, for `leaseMs`: true for one asker only, until it is done or the lease is over.
   * At the first time ever nothing is due yet: it begins with the next.
   */
  claimChore(name: string, due: Date, now: Date, leaseMs: number): Promise<boolean>;
  /** What was due at that moment is done. */
  finishChore(name: string, due: Date): Promise<void>;
}

/** The lease has a line of its own, which stays when it is done: whoever looked a moment before cannot take it again. */
export const inHand = (name: string): string => `${name}, in hand`;

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

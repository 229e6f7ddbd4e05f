import type { Delivery } from './submission.ts';

/** What the server asks of the store about the request that it sends itself. It is in no other answer of the store. */
export interface CanaryStore {
  /**
   * Takes the round that was due at this moment, or is to be tried again, for `leaseMs`: null where it is done, or
   * somebody else has it in hand.
   */
  claimCanary(now: Date, due: Date, leaseMs: number): Promise<CanaryState | null>;
  /** How it went, and so when it may be claimed again. */
  settleCanary(state: CanaryState): Promise<void>;
  readCanary(): Promise<CanaryState>;

  /** Where its mail stands, or null where it is not here. */
  findCanary(reference: string): Promise<Delivery | null>;
  /** All there are, or those that were received before this time. Tells how many. */
  eraseCanaries(which: 'all' | { before: Date; now: Date }): Promise<number>;
}

export interface CanaryState {
  /** The moment at which the last that was tried had been due. */
  triedFor: Date | null;
  /** Not before this, where it is to be tried again or somebody has it in hand. */
  tryAt: Date | null;
  /** How many times in a row it did not get through. */
  failures: number;
  succeededAt: Date | null;
  failedAt: Date | null;
  /** What is wrong until one succeeds, in words that anyone may read. */
  problem: string | null;
}

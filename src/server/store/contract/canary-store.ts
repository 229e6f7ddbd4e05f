import type { Delivery } from './submission.ts';

/** The submission that the server sends to itself. No other operation of the store sees it. */
export interface CanaryStore {
  /**
   * Leases the round that was due at `due`, or the retry of a failed round, for `leaseMs`. Null where the round is done, or
   * another server has the lease.
   */
  claimCanary(now: Date, due: Date, leaseMs: number): Promise<CanaryState | null>;
  /** Records the outcome, and so when the canary may be claimed again. */
  settleCanary(state: CanaryState): Promise<void>;
  readCanary(): Promise<CanaryState>;

  /** The state of the canary's delivery, or null where the store has no such canary. */
  findCanary(reference: string): Promise<Delivery | null>;
  /** Erases all canaries, or those received before this time. Resolves to how many were erased. */
  eraseCanaries(which: 'all' | { before: Date; now: Date }): Promise<number>;
}

export interface CanaryState {
  /** When the last round that was tried had been due. */
  triedFor: Date | null;
  /** No server claims the canary before this time: the next try, or the end of a lease. */
  tryAt: Date | null;
  /** How many rounds in a row failed. */
  failures: number;
  succeededAt: Date | null;
  failedAt: Date | null;
  /** What is wrong until a round succeeds, in words that anyone may read. */
  problem: string | null;
}

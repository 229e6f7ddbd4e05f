import type { Delivery } from './submission.ts';

/** The submission that the server sends to itself. No other operation of the store sees it. */
export interface CanaryStore {
  /** The state of the canary's delivery, or null if the store has no such canary. */
  findCanary(reference: string): Promise<Delivery | null>;
  /** Erases all canaries, or those received before this time. Resolves to how many were erased. */
  eraseCanaries(which: 'all' | { before: Date; now: Date }): Promise<number>;
}

import type { FormName } from '../../../model/form-field.ts';
import type { StoredSubmission } from './submission.ts';

/** What the delivery worker asks of the store. Both databases keep it; one test suite runs over both. */
export interface DeliveryQueue {
  /**
   * Takes deliveries that are due, for `leaseMs`: the lowest rank first, among the same rank the oldest, and the urgent
   * as if they were older. No two workers hold one at a time; whoever does not finish within the lease has lost it. Those
   * that were never tried, that failed before, and whose mail is held back to be sent in one, are each asked for apart.
   */
  claimDueDeliveries(
    now: Date,
    limit: number,
    leaseMs: number,
    which: 'never' | 'before' | 'held',
  ): Promise<ClaimedDelivery[]>;

  /** Each answers false, and changes nothing, where the lease is no longer the one of this claim. */
  finishDelivery(claim: ClaimedDelivery, deliveredAt: Date): Promise<boolean>;
  postponeDelivery(claim: ClaimedDelivery, nextAttemptAt: Date, error: string): Promise<boolean>;
  parkDelivery(claim: ClaimedDelivery, parkedAt: Date, error: string): Promise<boolean>;

  /** One for each form that has something undelivered. */
  summariseUndelivered(): Promise<Undelivered[]>;

  /**
   * Makes one submission, delivered or not, or all that are undelivered, due now, as if they had never been tried.
   * One that is asked for by its name is held back no longer.
   * Tells the references it did that to.
   */
  retryDeliveries(which: { reference: string } | 'all', now: Date): Promise<string[]>;

  /** Makes what was parked `afterMs` ago due once more, behind all that was never tried. Tells how many. */
  unpark(now: Date, afterMs: number): Promise<number>;

  /** True for one asker only until `everyMs` have passed, however many servers ask. */
  claimNotice(now: Date, everyMs: number): Promise<boolean>;
  /** Gives the claimed notice back, because it could not be sent. */
  releaseNotice(): Promise<void>;

  /** The urgent ones that have not reached staff `afterMs` after they were received, each for one asker only. */
  claimEscalations(now: Date, afterMs: number): Promise<Escalation[]>;
  /** Gives them back, because nobody could be told. */
  releaseEscalations(references: readonly string[]): Promise<void>;
}

export interface ClaimedDelivery {
  submission: StoredSubmission;
  /** Also what fences a late finisher off: no two claims of a delivery have the same one. */
  leasedUntil: Date;
}

export interface Escalation {
  reference: string;
  receivedAt: Date;
  lastError: string | null;
}

export interface Undelivered {
  form: FormName;
  waiting: number;
  /** Of those that wait: whose mail comes in one with others. */
  held: number;
  /** When the oldest that waits was received. */
  oldestReceivedAt: Date | null;
  parked: number;
}

import type { FormName } from '../../../model/form-field.ts';
import type { StoredSubmission } from './submission.ts';

/** Mail to staff that is still to be sent. */
export interface DeliveryQueue {
  /**
   * Leases deliveries that are due, for `leaseMs`: the lowest rank first, then the oldest, and urgent ones as if they were
   * older. No two workers have a lease of the same delivery; a worker that has not finished when the lease ends has lost it.
   */
  claimDueDeliveries(now: Date, limit: number, leaseMs: number, kind: DueKind): Promise<ClaimedDelivery[]>;

  /** Each resolves to false, and changes nothing, where the lease is no longer the one of this claim. */
  finishDelivery(claim: ClaimedDelivery, deliveredAt: Date): Promise<boolean>;
  postponeDelivery(claim: ClaimedDelivery, nextAttemptAt: Date, error: string): Promise<boolean>;
  parkDelivery(claim: ClaimedDelivery, parkedAt: Date, error: string): Promise<boolean>;

  /** One entry for each form that has submissions which no mail server has accepted, and which nobody has seen. */
  summariseUndelivered(): Promise<Undelivered[]>;

  /**
   * Makes one submission, delivered or not, or all that are neither delivered nor answered due now, as if they had never been tried. A
   * submission that is named by its reference is held back no longer. Resolves to the references.
   */
  retryDeliveries(which: { reference: string } | 'all', now: Date): Promise<string[]>;

  /** Makes deliveries that were parked `afterMs` ago due once more, after all that were never tried. Resolves to how many. */
  unpark(now: Date, afterMs: number): Promise<number>;
}

/** Never tried, tried before, or held back to be sent with others in one mail. */
export type DueKind = 'new' | 'retry' | 'held';

export interface ClaimedDelivery {
  submission: StoredSubmission;
  /** Also a fencing token: no two claims of a delivery have the same one. */
  leasedUntil: Date;
}

export interface Undelivered {
  form: FormName;
  waiting: number;
  /** How many of the waiting are held back, to be sent in one mail with others. */
  held: number;
  /** When the oldest waiting submission was received. */
  oldestReceivedAt: Date | null;
  parked: number;
}

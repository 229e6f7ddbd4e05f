import type { FormName } from '../../../model/form-field.ts';
import type { ClaimedSubmission } from './claimed-submissions.ts';

/** Mail to staff that is still to be sent: a job of each submission (mail-jobs.ts). */
export interface DeliveryQueue {
  /** A mail server accepted the mail. False, and nothing changes, if the lease is no longer the one of this claim. */
  finishDelivery(claim: ClaimedSubmission, deliveredAt: Date): Promise<boolean>;

  /** One entry for each form that has submissions which no mail server has accepted, and which nobody has seen. */
  summariseUndelivered(): Promise<Undelivered[]>;

  /**
   * Makes one submission, accepted or not, or all that are neither accepted nor answered due now, as if they had never been tried. A
   * submission that is named by its reference is held back no longer. Resolves to the references.
   */
  retryDeliveries(which: { reference: string } | 'all', now: Date): Promise<string[]>;
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

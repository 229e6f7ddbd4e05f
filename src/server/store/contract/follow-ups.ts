import type { FormName } from '../../../model/form-field.ts';
import type { FollowUp, StoredSubmission } from './submission.ts';

export type FollowUpStep = 'taken' | 'answered';

/** `changed`: false where the step had been recorded before, by whoever `followUp` names, or there was nothing to undo. */
export interface FollowUpOutcome {
  changed: boolean;
  followUp: FollowUp;
}

/** What became of submissions after they were delivered, and what staff still have to be told. */
export interface FollowUps {
  /**
   * Records who took or answered a submission. Of two calls at once one changes something; a submission that was answered
   * cannot be taken any more. Both end an alert that is due. The first answer is counted, also where it is undone later.
   * Null where there is no such submission.
   *
   * @param by as readStaffName returns it
   */
  recordStep(reference: string, step: FollowUpStep, by: string, at: Date): Promise<FollowUpOutcome | null>;
  /** @param since where given, only what was recorded at this very time is undone: nothing that a colleague did since */
  undoStep(reference: string, step: FollowUpStep, at: Date, since?: Date): Promise<FollowUpOutcome | null>;

  /** Records that somebody read the mail files of these submissions. Resolves to how many nobody had read before. */
  recordRead(references: readonly string[], at: Date): Promise<number>;

  /** Open submissions, urgent ones first, then the oldest first. Never a canary. */
  listOpen(limit: number, forms?: readonly FormName[]): Promise<StoredSubmission[]>;
  /** One entry for each form that has open submissions. */
  summariseOpen(): Promise<OpenSummary[]>;

  /**
   * Submissions that nobody has seen, also those that no mail server has accepted. Those of which the bot check is sure
   * come first, then urgent ones, then the first of every client, then the oldest. Never a canary.
   */
  listUnseen(until: UntilByForm, limit: number): Promise<StoredSubmission[]>;
  /** One entry for each form that has any. */
  summariseUnseen(until: UntilByForm): Promise<OpenSummary[]>;

  /**
   * Leases urgent submissions that nobody has taken or answered `afterMs` after they were received, and of which staff
   * were not reminded `most` times: each for one server, until the lease ends. Not those of more than three days ago: these are in the list of the morning. At most 500, the others the next time.
   */
  claimUrgentReminders(
    now: Date,
    options: { afterMs: number; leaseMs: number; most: number },
  ): Promise<UrgentReminder[]>;
  /** Staff were reminded; the next reminder is due at `nextAt`, in two hours at most. An alert is due at once where `alert`. False where the lease was lost. */
  finishUrgentReminder(claim: UrgentReminder, nextAt: Date, alert: boolean): Promise<boolean>;

  /** Leases alerts (ALERT_URL) that are due: the oldest first. */
  claimAlerts(now: Date, limit: number, leaseMs: number): Promise<ClaimedAlert[]>;
  /** Each resolves to false, and changes nothing, where the lease is no longer the one of this claim. */
  finishAlert(claim: ClaimedAlert): Promise<boolean>;
  postponeAlert(claim: ClaimedAlert, nextAttemptAt: Date, error: string): Promise<boolean>;
  summariseAlerts(): Promise<WaitingAlerts>;
}

export interface OpenSummary {
  form: FormName;
  open: number;
  /** How many of them are urgent, and nobody has taken them. */
  urgentUntaken: number;
  oldestReceivedAt: Date;
}

/** Up to when they came in. Of a form without a time none are meant. */
export type UntilByForm = Partial<Record<FormName, Date>>;

export interface UrgentReminder {
  submission: StoredSubmission;
  /** How many reminders came before this one. */
  before: number;
  /** Also a fencing token. */
  leasedUntil: Date;
}

export interface ClaimedAlert {
  reference: string;
  /** True where nobody had taken the submission in time, false for the alert when it came in. */
  escalated: boolean;
  /** Attempts so far, with this one. */
  attempts: number;
  /** Also a fencing token. */
  leasedUntil: Date;
}

export interface WaitingAlerts {
  /** Alerts that were tried and have not got through. */
  failing: number;
  lastError: string | null;
}

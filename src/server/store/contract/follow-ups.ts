import type { FormName } from '../../../model/form-field.ts';
import type { StoredSubmission } from './submission.ts';

/** What staff did about a submission. Open means that it was not answered. */
export interface FollowUp {
  takenBy: string | null;
  takenAt: Date | null;
  /** Null too where `answeredAt` is set: the submission was delivered before follow-ups were recorded. */
  answeredBy: string | null;
  answeredAt: Date | null;
}

export type FollowUpStep = 'taken' | 'answered';

/** `changed`: false where the step had been recorded before, by whoever `followUp` names, or there was nothing to undo. */
export interface FollowUpOutcome {
  changed: boolean;
  followUp: FollowUp;
}

/** Initials or a first name. */
export const maxNameLength = 20;

/** What became of submissions after they were delivered, and what staff still have to be told. */
export interface FollowUps {
  /**
   * Records who took or answered a submission. Of two calls at once one changes something; a submission that was answered
   * cannot be taken any more. The first answer is counted, also where it is undone later. Null where there is no such submission.
   */
  recordStep(reference: string, step: FollowUpStep, by: string, at: Date): Promise<FollowUpOutcome | null>;
  undoStep(reference: string, step: FollowUpStep): Promise<FollowUpOutcome | null>;

  /** Open submissions, urgent ones first, then the oldest first. Never a canary. */
  listOpen(limit: number): Promise<StoredSubmission[]>;
  /** One entry for each form that has open submissions. */
  summariseOpen(): Promise<OpenSummary[]>;

  /**
   * Leases urgent submissions that nobody has taken or answered `afterMs` after they were received, and of which staff
   * were not reminded `most` times: each for one server, until the lease ends.
   */
  claimUrgentReminders(
    now: Date,
    options: { afterMs: number; leaseMs: number; most: number },
  ): Promise<UrgentReminder[]>;
  /** Staff were reminded; the next reminder is due at `nextAt`. An alert is due again where `alert`. False where the lease was lost. */
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
  /** How many of them nobody has taken. */
  untaken: number;
  oldestReceivedAt: Date;
}

export interface UrgentReminder {
  submission: StoredSubmission;
  /** How many reminders came before this one. */
  before: number;
  /** Also a fencing token. */
  leasedUntil: Date;
}

export interface ClaimedAlert {
  id: number;
  reference: string;
  /** True where nobody had taken the submission in time, false for the alert when it came in. */
  escalated: boolean;
  /** Attempts so far, with this one. */
  attempts: number;
  leasedUntil: Date;
}

export interface WaitingAlerts {
  /** Alerts that were tried and have not got through. */
  failing: number;
  lastError: string | null;
}

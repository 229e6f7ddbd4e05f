import { isDoubtful } from '../../../model/bot-verdict.ts';
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

  /**
   * Open submissions: those that the bot check doubts last, urgent ones first, clients in turns, then the oldest first. Never a
   * canary.
   */
  listOpen(limit: number, forms?: readonly FormName[]): Promise<StoredSubmission[]>;
  /** In the same order, without their answers: of so many that these would not fit into memory. */
  outlineOpen(limit: number, forms: readonly FormName[]): Promise<OpenOutline[]>;
  /** Records that a reminder in the morning named these. */
  recordNamed(references: readonly string[], at: Date): Promise<void>;
  /** One entry for each form that has open submissions. */
  summariseOpen(): Promise<OpenSummary[]>;

  /**
   * Submissions that nobody has seen, also those that no mail server has accepted: one entry for each form that has any.
   * Never a canary, and none with the trap field filled in.
   *
   * @param memory the caller's own: what a shared database last answered there counts while it is away. Without it the call
   * rejects then
   */
  summariseUnseen(until: UntilByForm, now: Date, memory?: { last: OpenSummary[] }): Promise<OpenSummary[]>;

  countUrgentReminders(now: Date, which: DueReminders): Promise<number>;
  /**
   * Leases urgent submissions of which staff have to be reminded, each for one server until the lease ends: those that the
   * bot check doubts last, then those that were named least often, clients in turns, then the oldest first.
   */
  claimUrgentReminders(
    now: Date,
    which: DueReminders & { leaseMs: number; limit: number },
  ): Promise<UrgentReminder[]>;
  /** Staff were reminded; the next reminder is due at `nextAt`, in 14 hours at most. An alert is due at once where `alert`. False where the lease was lost. */
  finishUrgentReminder(claim: UrgentReminder, nextAt: Date, alert: boolean): Promise<boolean>;
  /** Staff were told how many more there are. Of those that the bot check doubts the next reminder is due at `nextAt`. */
  deferDoubtfulReminders(now: Date, which: DueReminders, nextAt: Date): Promise<void>;

  /** Leases alerts (ALERT_URL) that are due: those that the bot check doubts last, clients in turns, then the oldest first. */
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

/** What is to be known of an open submission to choose which ones a mail names. */
export interface OpenOutline {
  reference: string;
  form: FormName;
  receivedAt: Date;
  urgent: boolean;
  /** The bot check is not sure that a person sent it. */
  doubtful: boolean;
  /** The field that people do not see was filled in. */
  trapped: boolean;
  deliveredAt: Date | null;
  takenAt: Date | null;
  seenAt: Date | null;
  /** When a reminder in the morning last named it. */
  namedAt: Date | null;
}

/** Urgent, neither taken nor answered `afterMs` after they were received, and not reminded of since their next reminder was due. */
export interface DueReminders {
  afterMs: number;
  forms: readonly FormName[];
}
/** Up to when they came in. Of a form without a time none are meant. */
export type UntilByForm = Partial<Record<FormName, Date>>;

export interface UrgentReminder {
  submission: StoredSubmission;
  /** Which of its client's submissions it is. */
  rank: number;
  /** How many reminders came before this one. */
  before: number;
  /** Also a fencing token. */
  leasedUntil: Date;
}

/**
 * A flood that a program sent hides nobody: doubtful ones come last, then those that were named before, and each client's
 * first comes before anybody's second.
 */
export function compareReminders(one: UrgentReminder, other: UrgentReminder): number {
  const doubt = Number(isDoubtful(one.submission.verdict)) - Number(isDoubtful(other.submission.verdict));
  const age = one.submission.receivedAt.getTime() - other.submission.receivedAt.getTime();
  return (
    doubt ||
    one.before - other.before ||
    one.rank - other.rank ||
    age ||
    one.submission.id - other.submission.id
  );
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

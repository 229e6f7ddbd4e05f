import type { FormName } from '../../../model/form-field.ts';
import type { Change, Wish } from './changes.ts';
import type { FollowUp, StoredSubmission } from './submission.ts';

export type TeamStep = 'taken' | 'answered';
export type FollowUpStep = TeamStep | Wish;

/** `changed`: false where the step had been recorded before, by whoever `followUp` names, or there was nothing to undo. */
export interface FollowUpOutcome {
  changed: boolean;
  followUp: FollowUp;
}

/** What became of submissions after they were delivered, and what staff still have to be told. */
export interface FollowUps {
  /**
   * Records who took or answered a submission. Of two calls at once one changes something; a submission that was answered
   * cannot be taken any more. Both end its alerts, and while they stand nobody is reminded. The first answer is counted, also where it is undone later.
   * Null where there is no such submission.
   *
   * What a person said after sending is a step too. It ends no alert, and staff are mailed it.
   *
   * @param by as readStaffName returns it
   */
  recordStep(reference: string, step: FollowUpStep, by: string, at: Date): Promise<FollowUpOutcome | null>;
  /**
   * @param since where given, only what was recorded at this very time is undone: nothing that a colleague did since
   * @param by of a wish: who undoes it, if that is known
   */
  undoStep(
    reference: string,
    step: FollowUpStep,
    at: Date,
    since?: Date,
    by?: string | null,
  ): Promise<FollowUpOutcome | null>;
  /** Appends a change that is no wish, which staff are mailed. Not `changed`: there are too many. */
  addChange(
    reference: string,
    change: Change & { said: 'unreached' | 'details' },
  ): Promise<FollowUpOutcome | null>;

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

/** Up to when they came in. Of a form without a time none are meant. */
export type UntilByForm = Partial<Record<FormName, Date>>;

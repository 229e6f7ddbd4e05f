import type { Definition } from '../../../model/form-field.ts';
import type { StoredSubmission, SubmissionFilter } from './submission.ts';

/** Finds, counts and erases submissions, for the command and for retention. */
export interface Archive {
  findSubmission(reference: string): Promise<StoredSubmission | null>;

  /** Newest first, read a page at a time: a long export holds neither memory nor a lock. */
  iterateSubmissions(filter: SubmissionFilter): AsyncIterable<StoredSubmission>;
  countSubmissions(filter: SubmissionFilter): Promise<{ total: number; sealed: number }>;

  /** Every wording of the forms of the matching submissions, the latest used first. */
  listDefinitions(filter: SubmissionFilter): Promise<Definition[]>;

  /** At most `limit` references of submissions delivered at or before this time, without those in `except`. */
  listDelivered(deliveredUntil: Date, limit: number, except: readonly string[]): Promise<string[]>;
  eraseSubmissions(references: readonly string[]): Promise<void>;
  /** 'busy': the submission is being mailed or transferred and is not erased, because the mail or the other database would get a copy. */
  eraseOne(reference: string, now: Date): Promise<EraseOutcome>;

  /**
   * Removes what erased submissions left behind in the database's files. False where that was not possible, such as while
   * another process reads: try again later.
   */
  scrub(): Promise<boolean>;

  /** The stored times by which a wrong clock is recognised. */
  findTimes(): Promise<StoredTimes>;
  /** Expired submissions were erased by a clock that is trusted. Ends a recorded clock fault. */
  recordErasing(at: Date): Promise<void>;
  /** The clock is not trusted, also after a restart. `since` is the last time that was right. */
  recordClockFault(since: Date): Promise<void>;
}

type EraseOutcome = 'erased' | 'busy' | 'not here';

export interface StoredTimes {
  newestReceivedAt: Date | null;
  /** When expired submissions were last erased. */
  lastErasedAt: Date | null;
  /** The last time that was right, while a clock fault is recorded; otherwise null. */
  clockRightAt: Date | null;
}

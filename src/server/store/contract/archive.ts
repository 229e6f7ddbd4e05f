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
  listDelivered(until: Date, limit: number, except: readonly string[]): Promise<string[]>;
  eraseSubmissions(references: readonly string[]): Promise<void>;
  /** 'busy': the submission is being mailed or transferred, and stays: a mail or another database would get a copy of it that nobody erases. */
  eraseOne(reference: string, now: Date): Promise<ErasedOne>;

  /**
   * Removes erased words from the database's own files. False where another process was reading just then: ask again
   * later.
   */
  scrub(): Promise<boolean>;

  /** The stored times by which a wrong clock is recognised. */
  findTimes(): Promise<StoredTimes>;
  /** Erasing was done by a trusted clock, which ends a doubt. */
  recordErasing(at: Date): Promise<void>;
  /** The clock is doubted, also after the next start. `since` is the last time that was right. */
  recordClockFault(since: Date): Promise<void>;
}

type ErasedOne = 'erased' | 'busy' | 'not here';

export interface StoredTimes {
  /** When the newest submission was received. */
  newest: Date | null;
  /** When erasing was last done. */
  erased: Date | null;
  /** The last time that was right, while the clock is doubted. */
  doubted: Date | null;
}

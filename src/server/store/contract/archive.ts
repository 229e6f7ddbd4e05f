import type { Definition } from '../../../model/form-field.ts';
import type { StoredSubmission, SubmissionFilter } from './submission.ts';

/** What the command and the retention ask of the store. */
export interface Archive {
  findSubmission(reference: string): Promise<StoredSubmission | null>;

  /** Newest first, read a page at a time: a long export holds neither memory nor a lock. */
  iterateSubmissions(filter: SubmissionFilter): AsyncIterable<StoredSubmission>;
  countSubmissions(filter: SubmissionFilter): Promise<{ total: number; sealed: number }>;

  /** Every wording the matching submissions were asked in, the latest used first. */
  listDefinitions(filter: SubmissionFilter): Promise<Definition[]>;

  /** References of what was delivered at or before this time, but for these, at most `limit`. */
  listDelivered(until: Date, limit: number, except: readonly string[]): Promise<string[]>;
  eraseSubmissions(references: readonly string[]): Promise<void>;
  /** One that is just being mailed or moved stays: its words are on their way to where nobody would look for them. */
  eraseOne(reference: string, now: Date): Promise<ErasedOne>;

  /**
   * Takes what was erased out of the database's own files. False where somebody else was reading just then:
   * ask again later.
   */
  scrub(): Promise<boolean>;

  /** What the database knows about the time. */
  findTimes(): Promise<StoredTimes>;
  /** Erasing was done, by a clock that is trusted: whatever was doubted is not any more. */
  recordErasing(at: Date): Promise<void>;
  /** The clock is doubted since this time, the last that was right: also after the next start. */
  recordDoubt(since: Date): Promise<void>;
}

export type ErasedOne = 'erased' | 'busy' | 'not here';

export interface StoredTimes {
  /** Of the newest request. */
  newest: Date | null;
  /** When erasing was last done. */
  erased: Date | null;
  /** The last time that was right, while the clock is doubted. */
  doubted: Date | null;
}

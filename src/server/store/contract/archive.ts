import type { Definition, FormName } from '../../../model/form-field.ts';
import type { StoredSubmission, SubmissionFilter } from './submission.ts';

/** Finds, counts and erases submissions, for the command and for retention. */
export interface Archive {
  findSubmission(reference: string): Promise<StoredSubmission | null>;
  /** Those that are there, in no particular order, and canaries too. */
  findSubmissions(references: readonly string[]): Promise<StoredSubmission[]>;

  /** Newest first, read a page at a time: a long export holds neither memory nor a lock. */
  iterateSubmissions(filter: SubmissionFilter): AsyncIterable<StoredSubmission>;
  countSubmissions(filter: SubmissionFilter): Promise<{ total: number; sealed: number }>;

  /** Every wording of the forms of the matching submissions, the latest used first. */
  listDefinitions(filter: SubmissionFilter): Promise<Definition[]>;

  /** At most `limit` references of submissions that have expired, without those in `except`. Never a canary. */
  listExpired(expiry: Expiry, limit: number, except?: readonly string[]): Promise<string[]>;
  /** Resolves to how many. @param rule 'withdrawn': only those that still are */
  eraseSubmissions(references: readonly string[], rule?: ExpiryRule): Promise<number>;
  /** Opens those again that an upgrade called answered, and nobody did: their mail lies unread in the folder of mails. */
  reopenUnread(references: readonly string[]): Promise<void>;
  /**
   * Erases those that nobody has seen by now and no server is mailing, and counts them as losses in the same transaction.
   * Resolves to how many these were.
   */
  eraseUnseen(references: readonly string[], now: Date): Promise<number>;
  /** What was erased unseen and nobody has confirmed yet, the earliest day first. */
  listLosses(): Promise<Loss[]>;
  /** Somebody knows of these. Losses that were confirmed before stay so. */
  confirmLosses(losses: readonly Loss[]): Promise<void>;
  /** 'busy': the submission is being mailed or transferred and is not erased, because the mail or the other database would get a copy. */
  eraseOne(reference: string, now: Date): Promise<EraseOutcome>;

  /**
   * Removes what erased submissions left behind in the database's files. False where that was not possible, such as while
   * another process reads: try again later.
   */
  scrub(): Promise<boolean>;

  /** The stored times by which a wrong clock is recognised. */
  findTimes(): Promise<StoredTimes>;
  /**
   * Expired submissions were erased by a clock that is trusted. Ends a recorded clock fault. `jumpedFrom`: the clock is
   * trusted only because nobody has corrected it for a day; this was the last time that was right before it jumped.
   */
  recordErasing(at: Date, jumpedFrom?: Date | null): Promise<void>;
  /** Since when what nobody has seen is erased after so many days (null: as if it was seen): `at` where that is new, or begins again. */
  startUnseenLimit(days: number | null, at: Date, isAgain?: boolean): Promise<Date>;
  /** Null where no server has begun it. */
  findUnseenLimit(days: number | null): Promise<Date | null>;
  /** The clock jumped ahead, and was corrected: what it wrote meanwhile is as of now. */
  mendTimes(now: Date): Promise<void>;
  /** The clock is not trusted, also after a restart. `since` is the last time that was right. */
  recordClockFault(since: Date): Promise<void>;
}

/** What has expired at a moment: what was seen, delivered or withdrawn, or what came in and nobody has seen, until then. */
export type ExpiryRule = 'seen' | 'delivered' | 'unseen' | 'withdrawn';

export interface Expiry {
  rule: ExpiryRule;
  until: Date;
  /** Nobody has followed it up since, or undone that. */
  untouchedSince: Date;
}

/** How many submissions of a form were erased on a day although nobody had seen them. */
export interface Loss {
  /** A day in New Zealand. */
  day: string;
  form: FormName;
  count: number;
  /** With those that were confirmed before. */
  total: number;
}

type EraseOutcome = 'erased' | 'busy' | 'not here';

export interface StoredTimes {
  newestReceivedAt: Date | null;
  /** When expired submissions were last erased. */
  lastErasedAt: Date | null;
  /** The last time that was right, while a clock fault is recorded; otherwise null. */
  clockRightAt: Date | null;
  /** The last time that was right before the clock jumped, while nobody has said that it is right now; otherwise null. */
  jumpedFrom: Date | null;
}

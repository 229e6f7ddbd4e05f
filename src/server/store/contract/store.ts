import type { Archive } from './archive.ts';
import type { CanaryStore } from './canary-store.ts';
import type { CountTransfer, FigureSource } from './counts.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { FollowUps } from './follow-ups.ts';
import type { Jobs } from './jobs.ts';
import type { Added, NewSubmission, Spent } from './submission.ts';
import type { Times } from './times.ts';

/** What both databases do. One test suite runs over both. */
export interface Store
  extends SubmissionStore,
    DeliveryQueue,
    FollowUps,
    Archive,
    CanaryStore,
    FigureSource,
    CountTransfer,
    Jobs,
    Times {}

/** What a visitor's form needs of the store. */
export interface SubmissionStore {
  /** Which database is in use, in words for the person who runs the site. Never a password. */
  readonly description: string;

  /**
   * Writes a submission, its pending delivery and its counts in one transaction. Resolves only after the database has
   * synced them to disk. A token that was spent before adds and counts nothing.
   */
  add(submission: NewSubmission): Promise<Added>;

  /** What a token was spent on, or null while it is unspent. */
  findByToken(tokenHash: string): Promise<Spent | null>;

  /** Makes every write of a submission and deletes it again, except the trial's form. Rejects where a submission could not be stored. */
  tryWrite(): Promise<void>;

  close(): Promise<void>;
}

/** The database that several servers share. */
export interface SharedStore extends Store {
  /** The secret that all servers on this database share: `proposed` where there is none yet. */
  shareSecret(name: string, proposed: string): Promise<string>;
}

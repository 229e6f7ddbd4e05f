import type { Entry } from '../../../model/answers.ts';
import type { Receipt } from '../../../model/operations.ts';
import type { BotVerdict } from '../../bot-check/bot-check.ts';
import type { Form } from '../../content/content.ts';
import type { Chosen } from '../../figures/counting.ts';
import type { FigureSource } from '../../figures/figures.ts';
import type { CountKeeping } from '../rows/count-rows.ts';
import type { Archive } from './archive.ts';
import type { CanaryStore } from './canary-store.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { Turns } from './interval-lease.ts';
import type { ChoreBook } from './schedule-lease.ts';
import type { SealedAnswers } from './stored-submission.ts';

/** All that a database keeps: what visitors send, what is on its way to staff, what staff can look up, what is counted. */
export interface Store
  extends SubmissionStore,
    DeliveryQueue,
    Archive,
    CanaryStore,
    FigureSource,
    CountKeeping,
    ChoreBook,
    Turns {}

/** The contract both databases keep. One test suite runs over both. */
export interface SubmissionStore {
  /** What is in use, in words for the person who runs the site. Never a password. */
  readonly description: string;

  /**
   * Keeps a submission and its pending delivery, and counts it: all of that or none. Resolves only after the database has
   * synced it to disk. A token that was spent before adds and counts nothing.
   */
  add(submission: NewSubmission): Promise<Added>;

  /** What a token was spent on, or null while it is unspent. */
  findByToken(tokenHash: string): Promise<Spent | null>;

  /** Does all that keeping a submission takes, and leaves nothing behind but the trial's form. Rejects where one could not be kept. */
  tryWrite(): Promise<void>;

  close(): Promise<void>;
}

export interface NewSubmission {
  /** What it shall be called, unless that is taken: where it was tried elsewhere under that name before. */
  reference?: string;
  form: Form;
  answers: Entry[] | SealedAnswers;
  verdict: BotVerdict;
  tokenHash: string;
  answersHash: string;
  receivedAt: Date;
  /** Its mail is held back until then, and comes in one with others. */
  heldUntil?: Date | undefined;
  /** Goes out before what is not. */
  urgent?: boolean;
  /** Which of its sender's requests it is: mail goes out by turns, the first of every sender first. */
  rank?: number;
  /** What was chosen of what is counted. */
  chosen?: readonly Chosen[];
  /** The server sent it to itself: it is nobody's, in no list and counted nowhere. */
  canary?: boolean;
  /** Its first mail waits until then: another server may be sending it. */
  mailAfter?: Date | undefined;
  /** It goes on to another database, and is counted there: who knows whether that one has it already. */
  countLater?: boolean;
}

export interface Spent {
  answersHash: string;
  receipt: Receipt;
}

export type Added = { added: true; receipt: Receipt } | { added: false; spent: Spent };

/** The database must not be used: it would acknowledge what it can lose, or is of another version. In words for whoever runs it. */
export class StoreUnfit extends Error {
  override name = 'StoreUnfit';
}

/** The database could not be asked just now; the same call may work in a moment. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
  /** What is wrong, in words that anyone may read. */
  readonly problem: string;
  /** The connection was lost during the COMMIT: nobody knows whether the database did it. */
  readonly mayBeKept: boolean;
  constructor(
    message: string,
    { problem, mayBeKept, ...options }: ErrorOptions & { problem?: string; mayBeKept?: boolean } = {},
  ) {
    super(message, options);
    this.problem = problem ?? 'the database cannot be reached';
    this.mayBeKept = mayBeKept ?? false;
  }
}

/** For what another database answers as well, or the next round does. */
export const ignoreAway =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof StoreUnavailable) return instead;
    throw error;
  };

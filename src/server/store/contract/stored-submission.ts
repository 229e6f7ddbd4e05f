import type { Entry } from '../../../model/answers.ts';
import type { Definition, FormName } from '../../../model/form-field.ts';
import type { BotVerdict } from '../../bot-check/bot-check.ts';
import type { SubmissionFilter } from './archive.ts';

/** Answers that only the holder of the private key can read: an age file in ASCII armour. */
export interface SealedAnswers {
  sealed: string;
}

/** A submission as it was kept, with where its delivery stands. */
export interface StoredSubmission {
  id: number;
  reference: string;
  form: FormName;
  /** The form as it was when it was answered. */
  definition: Definition;
  answers: Entry[] | SealedAnswers;
  verdict: BotVerdict;
  receivedAt: Date;
  /** The server sent it to itself: it is nobody's, and must not reach staff. */
  canary?: boolean;
  delivery: Delivery;
}

export interface Delivery {
  /** Goes out before what is not, and its mail says so. */
  urgent: boolean;
  /** Counted when it is claimed, so that a send that ended the process counts too. */
  attempts: number;
  nextAttemptAt: Date;
  deliveredAt: Date | null;
  parkedAt: Date | null;
  /** What went wrong last, by code and step; never words of a server, which may quote the mail. */
  lastError: string | null;
}

export type DeliveryStatus = 'delivered' | 'parked' | 'waiting';

export function deliveryStatus({ deliveredAt, parkedAt }: Delivery): DeliveryStatus {
  if (deliveredAt) return 'delivered';
  return parkedAt ? 'parked' : 'waiting';
}

/** The columns {@link toStoredSubmission} reads, the same in both databases. */
export const selectSubmissions = `
  SELECT s.id, s.reference, s.form, d.definition, s.answers, s.sealed_answers, s.verdict, s.received_at, s.canary,
         v.urgent, v.rank, v.attempts, v.next_attempt_at, v.leased_until, v.delivered_at, v.parked_at, v.last_error
  FROM submissions s JOIN definitions d ON d.hash = s.definition JOIN deliveries v ON v.submission = s.id`;

export const joinedTables = 'FROM submissions s JOIN deliveries v ON v.submission = s.id';

/** No more than what is asked about: with a million of them the deliveries are half of what is read. */
export const tablesFor = ({ undelivered }: SubmissionFilter) =>
  undelivered ? joinedTables : 'FROM submissions s';

export const selectDefinitions = (used: string) => `
  SELECT d.definition FROM (SELECT s.definition, max(s.id) AS last ${used} GROUP BY s.definition) used
  JOIN definitions d ON d.hash = used.definition ORDER BY used.last DESC`;

/** Times are ISO text in one database and Dates in the other; `new Date` takes both. */
export function toStoredSubmission(row: Record<string, unknown>): StoredSubmission {
  return {
    id: Number(row.id),
    reference: String(row.reference),
    form: row.form as FormName,
    definition: JSON.parse(String(row.definition)) as Definition,
    answers:
      row.answers === null
        ? { sealed: String(row.sealed_answers) }
        : (JSON.parse(String(row.answers)) as Entry[]),
    verdict: JSON.parse(String(row.verdict)) as BotVerdict,
    receivedAt: new Date(row.received_at as string),
    canary: Boolean(row.canary),
    delivery: {
      urgent: Boolean(row.urgent),
      attempts: Number(row.attempts),
      nextAttemptAt: new Date(row.next_attempt_at as string),
      deliveredAt: toDate(row.delivered_at),
      parkedAt: toDate(row.parked_at),
      lastError: row.last_error as string | null,
    },
  };
}

export function toDate(value: unknown): Date | null {
  return value === null ? null : new Date(value as string);
}

/** The columns `answers` and `sealed_answers`, of which exactly one is filled. */
export function answerColumns(answers: StoredSubmission['answers']): [string | null, string | null] {
  return Array.isArray(answers) ? [JSON.stringify(answers), null] : [null, answers.sealed];
}

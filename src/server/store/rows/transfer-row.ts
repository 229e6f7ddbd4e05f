import type { FormName } from '../../../model/form-field.ts';
import type { Form } from '../../content/content.ts';
import { writeReceived } from '../../figures/counting.ts';
import { answerColumns } from '../contract/stored-submission.ts';
import type { NewSubmission } from '../contract/submission-store.ts';

/** A submission as a database takes it: text, and times as ISO 8601. Also how it crosses threads and databases. */
export interface SubmissionRow {
  reference: string;
  form: FormName;
  /** The hash of the form as it was. */
  definition: string;
  answers: string | null;
  sealedAnswers: string | null;
  verdict: string;
  tokenHash: string;
  answersHash: string;
  receivedAt: string;
  nextAttemptAt: string;
  /** Its mail comes in one with others that are held. */
  held: boolean;
  /** Goes out before what is not. */
  urgent: boolean;
  /** Lower goes out first. Missing in a backup of a version that had none. */
  rank?: number;
  /** Missing in a backup of a version that had none. */
  canary?: boolean;
  /** What is to be counted of it, written down; '' for nothing. */
  counts: string;
  /** Not here, but in the database where it ends up. */
  countLater: boolean;
  /** Its delivery was counted, or is not to be. */
  counted: boolean;
}

export interface DefinitionRow {
  hash: string;
  form: FormName;
  definition: string;
}

const written = new WeakMap<Form, string>();

/** Each form once, however many of the group answer it. Written out once for as long as the content stays. */
export function definitionsOf(group: readonly { form: Form }[]): DefinitionRow[] {
  return [...new Set(group.map(({ form }) => form))].map((form) => {
    const definition = written.get(form) ?? JSON.stringify(form.definition);
    written.set(form, definition);
    return { hash: form.hash, form: form.name, definition };
  });
}

/** A submission that is kept, with where its delivery stands: all there is of it. */
export interface KeptRow extends SubmissionRow {
  /** The form as it was, written out. */
  definitionText: string;
  attempts: number;
  leasedUntil: string | null;
  escalatedAt: string | null;
  deliveredAt: string | null;
  parkedAt: string | null;
  lastError: string | null;
}

export function toRow(submission: NewSubmission, reference: string): SubmissionRow {
  const {
    form,
    answers,
    verdict,
    tokenHash,
    answersHash,
    receivedAt,
    heldUntil,
    mailAfter,
    urgent = false,
    rank = 1,
    canary = false,
    countLater = false,
  } = submission;
  const [open, sealedAnswers] = answerColumns(answers);
  return {
    reference,
    form: form.name,
    definition: form.hash,
    answers: open,
    sealedAnswers,
    verdict: JSON.stringify(verdict),
    tokenHash,
    answersHash,
    receivedAt: receivedAt.toISOString(),
    nextAttemptAt: (heldUntil ?? mailAfter ?? receivedAt).toISOString(),
    held: heldUntil !== undefined,
    urgent,
    rank,
    canary,
    counts: canary ? '' : writeReceived(form.name, receivedAt, submission.chosen),
    countLater,
    counted: canary,
  };
}

/** All that {@link toKeptRow} reads, the same in both databases. */
export const selectKeptRows = `
  SELECT s.*, d.definition AS definition_text, v.attempts, v.next_attempt_at, v.held, v.urgent, v.rank, v.counted, v.escalated_at, v.leased_until, v.delivered_at, v.parked_at, v.last_error
  FROM submissions s JOIN definitions d ON d.hash = s.definition JOIN deliveries v ON v.submission = s.id`;

/** Times are text by now, as SQLite has them. */
export function toKeptRow(row: Record<string, unknown>): KeptRow {
  const text = (name: string) => row[name] as string | null;
  return {
    reference: String(row.reference),
    form: row.form as FormName,
    definition: String(row.definition),
    definitionText: String(row.definition_text),
    answers: text('answers'),
    sealedAnswers: text('sealed_answers'),
    verdict: String(row.verdict),
    tokenHash: String(row.token_hash),
    answersHash: String(row.answers_hash),
    receivedAt: String(row.received_at),
    attempts: Number(row.attempts),
    nextAttemptAt: String(row.next_attempt_at),
    held: Boolean(row.held),
    urgent: Boolean(row.urgent),
    rank: Number(row.rank ?? 1),
    canary: Boolean(row.canary),
    escalatedAt: text('escalated_at') ?? null,
    leasedUntil: text('leased_until'),
    deliveredAt: text('delivered_at'),
    parkedAt: text('parked_at'),
    lastError: text('last_error'),
    counts: text('to_count') ?? '',
    countLater: true,
    counted: isCounted(row.counted, row.delivered_at),
  };
}

/** In what an earlier version wrote nothing says so; what had been delivered by then is not counted any more. */
const isCounted = (counted: unknown, deliveredAt: unknown) =>
  counted === undefined ? deliveredAt !== null : Boolean(counted);

/** As it was written down by this version or an earlier one. */
export function parseKeptRow(line: string): KeptRow {
  const row = JSON.parse(line) as KeptRow;
  return {
    ...row,
    counts: row.counts ?? '',
    countLater: true,
    counted: isCounted(row.counted, row.deliveredAt),
  };
}

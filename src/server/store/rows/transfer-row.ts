import type { FormName } from '../../../model/form-field.ts';
import { notCounted } from './counting.ts';
import { pageSize } from './selects.ts';
import type { Row } from './sql.ts';
import { type Before, completeJobs } from './submission-jobs.ts';
import type { SubmissionRow } from './submission-row.ts';

/** Requests that came in during this time before an upgrade from a version without *seen* stay open. */
const reopenedForMs = 14 * 24 * 3_600_000;

/** A whole stored submission with the state of its delivery, as it is transferred and backed up. */
export interface TransferRow extends SubmissionRow {
  /** The form as it was, written out. */
  definitionText: string;
  deliveredAt: string | null;
  takenBy: string | null;
  takenAt: string | null;
  answeredBy: string | null;
  answeredAt: string | null;
  /** Missing in a backup of a version that recorded neither. */
  readAt?: string | null;
  namedAt?: string | null;
  /** Missing in a backup of a version that did not record what a person said after sending. */
  noContactBy?: string | null;
  noContactAt?: string | null;
  withdrawnBy?: string | null;
  withdrawnAt?: string | null;
  /** A line of JSON each. */
  changes?: string;
  /**
   * When staff last recorded or undid a step: of two states of a submission the later is right. If the clock was behind, when
   * expired requests were last erased by then.
   */
  followedUpAt: string | null;
}

export function toTransferRow(row: Row): TransferRow {
  const text = (name: string) => asText(row[name]);
  const deliveredAt = text('accepted_at') ?? text('delivered_at');
  const reopened = row.read_at === undefined && reopenRecent(row.answered_by, String(text('received_at')));
  const known = {
    reference: String(row.reference),
    form: row.form as FormName,
    definition: String(row.definition),
    definitionText: String(row.definition_text),
    answers: text('answers'),
    sealedAnswers: text('sealed_answers'),
    verdict: String(row.verdict),
    tokenHash: String(row.token_hash),
    answersHash: String(row.answers_hash),
    receivedAt: String(text('received_at')),
    urgent: Boolean(row.urgent),
    rank: Number(row.rank ?? 1),
    canary: Boolean(row.canary),
    language: text('language'),
    deliveredAt,
    counts:
      text('counts') ??
      countsBefore(
        row.form as FormName,
        text('to_count'),
        isCounted(row.counted, deliveredAt),
        isAnswerCounted(row.answered_at, deliveredAt, row.answer_counted, reopened),
      ),
    takenBy: text('taken_by'),
    takenAt: text('taken_at'),
    answeredBy: text('answered_by'),
    readAt: text('read_at'),
    namedAt: text('named_at'),
    noContactBy: text('no_contact_by'),
    noContactAt: text('no_contact_at'),
    withdrawnBy: text('withdrawn_by'),
    withdrawnAt: text('withdrawn_at'),
    changes: text('changes') ?? '',
    ...(row.answered_at === undefined
      ? fromBeforeFollowUps(deliveredAt)
      : {
          answeredAt: text('answered_at'),
          followedUpAt: text('followed_up_at'),
        }),
    ...reopened,
  };
  const before = {
    ...{ attempts: row.attempts, held: row.held, reminders: row.reminders, lastError: row.last_error },
    ...{ nextAttemptAt: row.next_attempt_at, parkedAt: row.parked_at },
    ...{ alertAt: row.alert_at, escalatedAt: row.escalated_at, remindAt: row.remind_at },
  };
  return { ...known, jobs: completeJobs(known, row.jobs, before) };
}

/** An earlier version recorded no answers: what it delivered counts as answered, as after a migration. */
const fromBeforeFollowUps = (deliveredAt: string | null) => ({
  answeredAt: deliveredAt,
  followedUpAt: deliveredAt,
});

/** Nobody said that they answered it, and it is too new to be forgotten: open, as after migration 013. */
function reopenRecent(answeredBy: unknown, receivedAt: string) {
  const isRecent = Date.now() - Date.parse(receivedAt) < reopenedForMs;
  return isRecent && !answeredBy && { answeredAt: null };
}

/** PostgreSQL's driver returns times as Dates. An earlier version of SQLite's table lacks some columns. */
function asText(value: unknown): string | null {
  return value instanceof Date ? value.toISOString() : ((value as string | undefined) ?? null);
}

/** An earlier version did not write this; what had been delivered by then is not counted any more. */
const isCounted = (counted: unknown, deliveredAt: unknown) =>
  counted === undefined ? deliveredAt !== null : Boolean(counted);

/** What counts as answered because an earlier version recorded no answers counts as counted. What is open again does not. */
const isAnswerCounted = (answeredAt: unknown, deliveredAt: unknown, recorded: unknown, reopened: unknown) =>
  !reopened && (answeredAt === undefined ? deliveredAt !== null : Boolean(recorded));

/**
 * An earlier version counted a request when it came in, or noted what another database was to count. What it had counted
 * is there once more with nothing, so that it is not counted again.
 */
function countsBefore(form: FormName, deferred: unknown, isDelivered: boolean, isAnswered: boolean): string {
  const isLeft = typeof deferred === 'string' && deferred.length > 2;
  const markers = [
    ...(isLeft ? [] : [notCounted('received', form)]),
    ...(isDelivered ? [notCounted('delivered', form)] : []),
    ...(isAnswered ? [notCounted('answered', form)] : []),
  ];
  const rest = JSON.stringify(markers).slice(1);
  if (!isLeft) return JSON.stringify(markers);
  return markers.length === 0 ? deferred : `${deferred.slice(0, -1)},${rest}`;
}

const noFollowUp = { takenBy: null, takenAt: null, answeredBy: null };

/** Reads a line of a backup of this version or an earlier one. */
export function parseTransferRow(line: string): TransferRow {
  const row = JSON.parse(line) as TransferRow & Before;
  const { counted, answerCounted } = row;
  const isBefore = counted !== undefined || row.counts === undefined;
  const reopened = row.readAt === undefined && reopenRecent(row.answeredBy, row.receivedAt);
  const isAnswered = isAnswerCounted(row.answeredAt, row.deliveredAt, answerCounted, reopened);
  const known = {
    ...row,
    counts: isBefore
      ? countsBefore(row.form, row.counts, isCounted(counted, row.deliveredAt), isAnswered)
      : row.counts,
    ...(row.answeredAt === undefined ? { ...noFollowUp, ...fromBeforeFollowUps(row.deliveredAt) } : {}),
    ...reopened,
  };
  return { ...known, jobs: completeJobs(known, row.jobs, row) };
}

/** A page of submissions, and the id after which the next page begins. */
export interface TransferPage {
  last: number;
  rows: TransferRow[];
}

export async function* iterateTransferRows(
  readRows: (after: number, limit: number) => TransferPage | Promise<TransferPage>,
): AsyncGenerator<TransferRow[]> {
  for (let after = 0; ; ) {
    const { last, rows } = await readRows(after, pageSize);
    if (rows.length === 0) return;
    yield rows;
    after = last;
  }
}

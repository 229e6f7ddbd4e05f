import type { FormName } from '../../../model/form-field.ts';
import type { SubmissionRow } from './submission-row.ts';

/** A whole stored submission with the state of its delivery, as it is transferred and backed up. */
export interface TransferRow extends SubmissionRow {
  /** The form as it was, written out. */
  definitionText: string;
  attempts: number;
  leasedUntil: string | null;
  escalatedAt: string | null;
  deliveredAt: string | null;
  parkedAt: string | null;
  lastError: string | null;
}

/** Takes times as text, as SQLite has them. */
export function toTransferRow(row: Record<string, unknown>): TransferRow {
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

/** An earlier version did not write this; what had been delivered by then is not counted any more. */
const isCounted = (counted: unknown, deliveredAt: unknown) =>
  counted === undefined ? deliveredAt !== null : Boolean(counted);

/** Reads a line of a backup of this version or an earlier one. */
export function parseTransferRow(line: string): TransferRow {
  const row = JSON.parse(line) as TransferRow;
  return {
    ...row,
    counts: row.counts ?? '',
    countLater: true,
    counted: isCounted(row.counted, row.deliveredAt),
  };
}

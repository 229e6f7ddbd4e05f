import type { StoredSubmission } from '../contract/submission.ts';
import type { Dialect, Row, Sql } from './sql.ts';

/** The columns {@link toStoredSubmission} reads, the same in both databases. */
export const selectSubmissions = `
  SELECT s.id, s.reference, s.form, d.definition, s.answers, s.sealed_answers, s.verdict, s.received_at, s.canary, s.language,
         v.urgent, v.rank, v.attempts, v.next_attempt_at, v.leased_until, v.delivered_at, v.parked_at, v.last_error,
         v.taken_by, v.taken_at, v.answered_by, v.answered_at, v.seen_at
  FROM submissions s JOIN definitions d ON d.hash = s.definition JOIN deliveries v ON v.submission = s.id`;

/** In no particular order. */
export async function readByIds(
  { query, dialect: { isOneOf } }: Sql,
  ids: readonly unknown[],
): Promise<Row[]> {
  if (ids.length === 0) return [];
  return (await query(`${selectSubmissions} WHERE ${isOneOf('s.id', '$1')}`, [ids])).rows;
}

export const joinedTables = 'FROM submissions s JOIN deliveries v ON v.submission = s.id';

/** All that {@link toTransferRow} reads, the same in both databases. */
export const selectTransferRows = ({ writeJobs }: Pick<Dialect, 'writeJobs'>): string => `
  SELECT s.*, d.definition AS definition_text, v.attempts, v.next_attempt_at, v.held, v.urgent, v.rank, v.counted, v.leased_until, v.delivered_at, v.parked_at, v.last_error,
    v.taken_by, v.taken_at, v.answered_by, v.answered_at, v.read_at, v.named_at, v.followed_up_at, v.answer_counted,
    ${writeJobs('s.id')} AS jobs
  FROM submissions s JOIN definitions d ON d.hash = s.definition JOIN deliveries v ON v.submission = s.id`;

/** Rows read at a time. */
export const pageSize = 200;

/** The last submission of a page, after which the next begins. By both columns, because several submissions may be received within a millisecond. */
export type PageEnd = Pick<StoredSubmission, 'receivedAt' | 'id'>;

import type { StoredSubmission } from '../contract/submission.ts';
import type { Dialect } from './sql.ts';

/** The columns {@link toStoredSubmission} reads, the same in both databases. */
export const selectSubmissions = `
  SELECT s.id, s.reference, s.form, d.definition, s.answers, s.sealed_answers, s.verdict, s.received_at, s.canary, s.language,
         s.urgent, s.rank, s.accepted_at, s.taken_by, s.taken_at, s.answered_by, s.answered_at, s.seen_at,
         s.no_contact_by, s.no_contact_at, s.withdrawn_by, s.withdrawn_at, s.changes,
         mail.kind, mail.attempts, mail.due_at, mail.last_error
  FROM submissions s JOIN definitions d ON d.hash = s.definition LEFT JOIN jobs mail ON mail.key = 'mail:' || s.reference`;

/** All that {@link toTransferRow} reads, the same in both databases. */
export const selectTransferRows = ({ writeJobs }: Pick<Dialect, 'writeJobs'>): string => `
  SELECT s.*, d.definition AS definition_text, ${writeJobs('s.id')} AS jobs
  FROM submissions s JOIN definitions d ON d.hash = s.definition`;

/** Rows read at a time. */
export const pageSize = 200;

/** The last submission of a page, after which the next begins. By both columns, because several submissions may be received within a millisecond. */
export type PageEnd = Pick<StoredSubmission, 'receivedAt' | 'id'>;

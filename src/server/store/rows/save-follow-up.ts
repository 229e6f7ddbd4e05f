import type { Count } from '../contract/counts.ts';
import { withFirst } from './count-queries.ts';
import { readLater } from './counting.ts';
import { endAlerts } from './follow-up-queries.ts';
import type { Query } from './sql.ts';
import type { TransferRow } from './transfer-row.ts';

/** What staff did. Of two states the later is right: a submission may be transferred twice, and followed up in between. */
const setSteps = `
  UPDATE submissions SET taken_by = $2, taken_at = $3, answered_by = $4, answered_at = $5, read_at = $6, followed_up_at = $7,
    no_contact_by = $8, no_contact_at = $9, withdrawn_by = $10, withdrawn_at = $11, changes = $12
  WHERE id = $1 AND (followed_up_at IS NULL OR followed_up_at < $7)`;
const setNamed = 'UPDATE submissions SET named_at = $2 WHERE id = $1 AND (named_at IS NULL OR named_at < $2)';
const addCount = (kind: Count['kind']) =>
  `UPDATE submissions SET counts = ${withFirst(kind, '$2')} WHERE id = $1`;

/** Records the follow-up of a submission that comes from another database, and what was counted of it there. */
export async function saveFollowUp(query: Query, id: number | string, row: TransferRow): Promise<void> {
  const { takenBy, takenAt, answeredBy, answeredAt, readAt = null, namedAt = null, followedUpAt } = row;
  const {
    noContactBy = null,
    noContactAt = null,
    withdrawnBy = null,
    withdrawnAt = null,
    changes = '',
  } = row;
  if (followedUpAt) {
    const steps = [takenBy, takenAt, answeredBy, answeredAt, readAt, followedUpAt];
    await query(setSteps, [id, ...steps, noContactBy, noContactAt, withdrawnBy, withdrawnAt, changes]);
  }
  if (takenAt || answeredAt) await query(endAlerts, [id]);
  if (namedAt) await query(setNamed, [id, namedAt]);
  for (const one of readLater(row.counts)) await query(addCount(one.kind), [id, JSON.stringify(one)]);
}

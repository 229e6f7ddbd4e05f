import type { Query } from './sql.ts';
import type { TransferRow } from './transfer-row.ts';

/** What staff did. Of two states the later is right: a submission may be transferred twice, and followed up in between. */
const setSteps = `
  UPDATE deliveries SET taken_by = $2, taken_at = $3, answered_by = $4, answered_at = $5, read_at = $6, followed_up_at = $7
  WHERE submission = $1 AND (followed_up_at IS NULL OR followed_up_at < $7)`;
const setNamed =
  'UPDATE deliveries SET named_at = $2 WHERE submission = $1 AND (named_at IS NULL OR named_at < $2)';
const setCounted = 'UPDATE deliveries SET answer_counted = $2 WHERE submission = $1 AND answer_counted <> $2';

/** What staff were told. An alert becomes due again only with another reminder; of two states with as many, the later has none. */
const setReminders = `
  UPDATE deliveries SET reminders = $2, remind_at = $3, alert_at = $4, alert_attempts = $5, alert_leased_until = $6,
    alert_error = $7, alert_escalated = $8
  WHERE submission = $1`;
const isLater = 'AND (reminders < $2 OR reminders = $2 AND $9)';

/**
 * Records the follow-up of a submission that comes from another database. Resolves to whether its answer was counted
 * there and is not yet marked as counted here.
 */
export async function saveFollowUp(
  query: Query,
  id: number | string,
  row: TransferRow,
  isNew: boolean,
): Promise<boolean> {
  const { takenBy, takenAt, answeredBy, answeredAt, readAt = null, namedAt = null, followedUpAt } = row;
  if (followedUpAt)
    await query(setSteps, [id, takenBy, takenAt, answeredBy, answeredAt, readAt, followedUpAt]);
  if (namedAt) await query(setNamed, [id, namedAt]);
  const reminded = [row.reminders, row.remindAt, row.alertAt, row.alertAttempts, row.alertLeasedUntil];
  const values = [id, ...reminded, row.alertError, row.alertEscalated];
  if (isNew) await query(setReminders, values);
  else await query(`${setReminders} ${isLater}`, [...values, row.alertAt === null]);
  return row.answerCounted && (await query(setCounted, [id, true])).rowCount === 1;
}

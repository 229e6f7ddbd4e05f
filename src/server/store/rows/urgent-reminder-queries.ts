import { compareReminders, type DueReminders, type FollowUps } from '../contract/follow-ups.ts';
import { latestPlausible } from '../contract/jobs.ts';
import { readByIds } from './selects.ts';
import type { Sql } from './sql.ts';
import { toStoredSubmission } from './submission-row.ts';

/** A stored time of a reminder that is further ahead was written by a clock that was wrong. Twice the longest wait, as for leases. */
const plausibleReminderMs = 28 * 3_600_000;
/** As {@link toRow} writes the verdict on a form of which there is no doubt. */
export const doubtful = `s.verdict <> '${JSON.stringify({ kind: 'clean' })}'`;
/** As it writes that the field which people do not see was filled in. */
export const trapped = `s.verdict LIKE '%"trap"%'`;
/** What comes first in either order comes first, in turns: neither hides what the other begins with. */
export const inTurns = (one: string, other: string): string => {
  const [a, b] = [one, other].map((order) => `row_number() OVER (ORDER BY ${order})`);
  // Twice the smaller one, in both databases.
  return `${a} + ${b} - abs(${a} - ${b}), ${one}`;
};
/** By $n, or by a clock that was far ahead: it would seem to come in for months. */
export const cameInBy = (until: string, plausible: string) =>
  `(s.received_at <= ${until} OR s.received_at > ${plausible})`;
/** In a statement about deliveries. */
export const ofSubmission = (column: string) =>
  `(SELECT ${column} FROM submissions s WHERE s.id = submission)`;
export const ofClaim = 'WHERE submission = (SELECT id FROM submissions WHERE reference = $1)';

/**
 * Leases what is due. The condition is said twice: of two servers that find the same rows, the second waits for the first
 * and then sees that they are leased.
 */
export const leaseDue = (isDue: string, which: string, set: string, returned = '') => `
  WITH due AS MATERIALIZED (SELECT submission FROM deliveries WHERE ${isDue} ${which})
  UPDATE deliveries SET ${set} WHERE submission IN (SELECT submission FROM due) AND ${isDue}
  RETURNING submission${returned}`;

type UrgentReminders = Pick<
  FollowUps,
  'countUrgentReminders' | 'claimUrgentReminders' | 'finishUrgentReminder' | 'deferDoubtfulReminders'
>;

export function createUrgentReminders(sql: Sql): UrgentReminders {
  const { query, toDatabaseTime, dialect } = sql;
  const { yes, isOneOf } = dialect;
  const isReminderDue = `
    urgent = ${yes} AND taken_at IS NULL AND answered_at IS NULL
    AND (remind_at IS NULL OR remind_at <= $1 OR remind_at > $2)
    AND EXISTS (SELECT 1 FROM submissions s
      WHERE s.id = submission AND s.canary <> ${yes} AND ${cameInBy('$3', '$5')} AND ${isOneOf('s.form', '$4')})`;
  const countReminders = `SELECT count(*) AS due FROM deliveries WHERE ${isReminderDue}`;
  const isDoubtful = ofSubmission(doubtful);
  const byTurns = `rank, ${ofSubmission('s.received_at')}, submission`;
  // New ones of a few clients come without end, so those that were named keep half of the places.
  const claimReminders = leaseDue(
    isReminderDue,
    `ORDER BY ${inTurns(`${isDoubtful}, reminders, ${byTurns}`, `${isDoubtful}, ${byTurns}`)} LIMIT $7`,
    'remind_at = $6',
  );
  const deferReminders = `
    UPDATE deliveries SET remind_at = $6 WHERE ${isReminderDue} AND ${isDoubtful}`;
  const finishReminder = `
    UPDATE deliveries SET reminders = reminders + 1, remind_at = $3 ${ofClaim} AND remind_at = $2`;
  const finishAndAlert = `
    UPDATE deliveries SET reminders = reminders + 1, remind_at = $3, alert_attempts = 0, alert_leased_until = NULL,
      alert_error = NULL, alert_escalated = ${yes},
      alert_at = CASE WHEN taken_at IS NULL AND answered_at IS NULL
        THEN (SELECT received_at FROM submissions WHERE id = submission) END
    ${ofClaim} AND remind_at = $2`;

  const dueValues = (now: Date, { afterMs, forms }: DueReminders) => {
    const [plausible, received] = [plausibleReminderMs, -afterMs].map((ms) => new Date(now.getTime() + ms));
    return [now, plausible, received, forms, latestPlausible(now)];
  };

  return {
    async countUrgentReminders(at, which) {
      const [row] = (await query(countReminders, dueValues(await toDatabaseTime(at), which))).rows;
      return Number(row?.due);
    },
    async claimUrgentReminders(at, { leaseMs, limit, ...which }) {
      const now = await toDatabaseTime(at);
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const values = [...dueValues(now, which), leasedUntil, limit];
      const claimed = (await query(claimReminders, values)).rows.map((row) => Number(row.submission));
      const reminders = (await readByIds(sql, claimed)).map((row) => ({
        submission: toStoredSubmission(row),
        before: Number(row.reminders),
        rank: Number(row.rank),
        leasedUntil,
      }));
      return reminders.toSorted(compareReminders);
    },
    async deferDoubtfulReminders(at, which, nextAt) {
      const values = dueValues(await toDatabaseTime(at), which);
      await query(deferReminders, [...values, await toDatabaseTime(nextAt)]);
    },
    async finishUrgentReminder({ submission: { reference }, leasedUntil }, nextAt, alert) {
      const values = [reference, leasedUntil, await toDatabaseTime(nextAt)];
      return (await query(alert ? finishAndAlert : finishReminder, values)).rowCount === 1;
    },
  };
}

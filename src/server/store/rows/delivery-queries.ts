import type { FormName } from '../../../model/form-field.ts';
import type { DeliveryQueue } from '../contract/delivery-queue.ts';
import { headStartMs, isRefused, mailKinds } from '../contract/mail-jobs.ts';
import { escalateKind } from '../contract/submission-jobs.ts';
import { withFirst } from './count-queries.ts';
import { countDelivered } from './counting.ts';
import type { Sql } from './sql.ts';
import { toDate } from './submission-row.ts';

const listOf = (kinds: readonly string[]) => kinds.map((kind) => `'${kind}'`).join(', ');
const all = listOf(Object.values(mailKinds));
const refused = listOf(Object.values(mailKinds).filter(isRefused));
/** Ends the duty to mail a submission, and to escalate it, while this claim still has its lease. */
const endMail = `
  DELETE FROM jobs WHERE submission = (SELECT submission FROM jobs WHERE key = $1 AND leased_until = $2)
    AND (key = $1 OR kind = '${escalateKind}') RETURNING submission`;
const accept = `UPDATE submissions SET accepted_at = $2, counts = ${withFirst('delivered', '$3')} WHERE id = $1`;

export function createDeliveries({ query, inTransaction, toDatabaseTime, dialect }: Sql): DeliveryQueue {
  const isNotCanary = `s.canary <> ${dialect.yes}`;
  // An answered request needs no mail any more.
  const retryAll = (isUrgent: string) => `
    UPDATE jobs SET kind = CASE WHEN kind LIKE 'held%' THEN '${mailKinds.held}' ELSE '${mailKinds.new}' END, attempts = 0, due_at = $1
    WHERE kind IN (${all}) AND submission IN (SELECT s.id FROM submissions s WHERE s.accepted_at IS NULL AND s.answered_at IS NULL
      AND s.urgent = ${isUrgent} AND ${isNotCanary})
    RETURNING (SELECT reference FROM submissions WHERE submissions.id = jobs.submission) AS reference`;
  // One that is being mailed stays leased.
  const retryOne = `
    INSERT INTO jobs (kind, key, submission, due_at, rank)
    SELECT '${mailKinds.new}', 'mail:' || s.reference, s.id, $1, 1
    FROM submissions s WHERE s.reference = $2 AND ${isNotCanary}
    ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, due_at = excluded.due_at, rank = 1, attempts = 0
`;
  // Not if it was accepted just now.
  const reopen = `UPDATE submissions SET accepted_at = NULL WHERE reference = $1 AND EXISTS (SELECT 1 FROM jobs WHERE key = 'mail:' || $1)`;
  const summarise = `
    SELECT s.form, count(*) FILTER (WHERE j.kind NOT IN (${refused})) AS waiting,
           min(s.received_at) FILTER (WHERE j.kind NOT IN (${refused})) AS oldest,
           count(*) FILTER (WHERE j.kind = '${mailKinds.held}') AS held,
           count(*) FILTER (WHERE j.kind IN (${refused})) AS parked
    FROM jobs j ${dialect.joinInOrder} submissions s ON s.id = j.submission
    WHERE j.kind IN (${all}) AND s.seen_at IS NULL AND ${isNotCanary} GROUP BY s.form`;

  return {
    async finishDelivery({ key, leasedUntil, submission: { form, receivedAt } }, deliveredAt) {
      const at = await toDatabaseTime(deliveredAt);
      return inTransaction(async (ask) => {
        const [ended] = (await ask(endMail, [key, leasedUntil])).rows;
        const counted = JSON.stringify(countDelivered(form, receivedAt, deliveredAt));
        if (ended) await ask(accept, [ended.submission, at, counted]);
        return ended !== undefined;
      });
    },
    async summariseUndelivered() {
      const { rows } = await query(summarise);
      return rows.map((row) => ({
        form: row.form as FormName,
        waiting: Number(row.waiting),
        held: Number(row.held),
        oldestReceivedAt: toDate(row.oldest),
        parked: Number(row.parked),
      }));
    },
    async retryDeliveries(which, now) {
      const at = await toDatabaseTime(now);
      const early = new Date(at.getTime() - headStartMs);
      if (which === 'all') {
        const urgent = await query(retryAll(dialect.yes), [early]);
        const others = await query(retryAll(dialect.no), [at]);
        return [...urgent.rows, ...others.rows].map((row) => String(row.reference));
      }
      const { reference } = which;
      return inTransaction(async (ask) => {
        const { rowCount } = await ask(retryOne, [early, reference]);
        await ask(reopen, [reference]);
        return rowCount ? [reference] : [];
      });
    },
  };
}

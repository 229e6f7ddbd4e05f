import type { DatabaseSync } from 'node:sqlite';
import type { DeliveryQueue } from '../contract/delivery-queue.ts';
import { countDelivered } from '../rows/counting.ts';
import { createDeliveries, fence, headStartMs } from '../rows/delivery-queries.ts';
import type { Sql } from '../rows/sql.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';

/** Urgent and other deliveries are selected separately, so that each select follows the index and stops at the limit. */
const selectFirst = (urgent: 0 | 1) => `
  SELECT * FROM (
    SELECT submission, rank, next_attempt_at FROM deliveries INDEXED BY deliveries_ranked
    WHERE CASE WHEN held = 1 THEN 2 WHEN attempts > 0 THEN 1 ELSE 0 END = $2 AND urgent = ${urgent}
      AND delivered_at IS NULL AND parked_at IS NULL
      AND (next_attempt_at <= $1 OR next_attempt_at > $5)
      AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $5)
    ORDER BY rank, next_attempt_at, submission LIMIT $3
  )`;
const claim = `
  UPDATE deliveries SET attempts = attempts + 1, leased_until = $4
  WHERE submission IN (
    SELECT submission FROM (
      SELECT submission, rank, unixepoch(next_attempt_at, 'subsec') - ${headStartMs / 1000} AS due FROM (${selectFirst(1)})
      UNION ALL SELECT submission, rank, unixepoch(next_attempt_at, 'subsec') FROM (${selectFirst(0)})
      ORDER BY rank, due, submission LIMIT $3
    )
  ) RETURNING submission`;

const finish = `UPDATE deliveries SET delivered_at = $3, leased_until = NULL, last_error = NULL ${fence}`;

export function createSqliteDeliveries(db: DatabaseSync, sql: Sql): DeliveryQueue {
  const queue = createDeliveries(sql, claim);
  const { countDelivery, deferDeliveryCount } = prepareCounting(db);
  return {
    ...queue,
    finishDelivery: ({ submission: { id, form, receivedAt }, leasedUntil }, at) =>
      inTransaction(db, async () => {
        if ((await sql.query(finish, [id, leasedUntil, at])).rowCount !== 1) return false;
        countDelivery(id, countDelivered(form, receivedAt, at));
        return true;
      }),
    retryDeliveries: (which, now) =>
      inTransaction(db, () => {
        if (which !== 'all') deferDeliveryCount(which.reference);
        return queue.retryDeliveries(which, now);
      }),
  };
}

import type { DeliveryQueue } from '../contract/delivery-queue.ts';
import { countDelivered, serializeCounts } from '../rows/counting.ts';
import { createDeliveries, fence, headStartMs } from '../rows/delivery-queries.ts';
import type { Sql } from '../rows/sql.ts';

/** Urgent and other deliveries are selected separately, so that each select follows the index deliveries_ranked and stops at the limit. */
const selectFirst = (urgent: boolean) => `
    SELECT submission, rank, next_attempt_at - interval '${urgent ? headStartMs : 0} ms' AS due FROM deliveries
    WHERE CASE WHEN held THEN 2 WHEN attempts > 0 THEN 1 ELSE 0 END = $2 AND urgent = ${urgent}
      AND delivered_at IS NULL AND parked_at IS NULL
      AND (next_attempt_at <= $1 OR next_attempt_at > $5)
      AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $5)
    ORDER BY rank, next_attempt_at, submission LIMIT $3 FOR UPDATE SKIP LOCKED`;

/**
 * One statement, so one transaction, without which SKIP LOCKED would protect nothing. MATERIALIZED, because the
 * planner may otherwise run the inner query again and take more than the limit.
 */
const claim = `
  WITH urgent AS MATERIALIZED (${selectFirst(true)}), other AS MATERIALIZED (${selectFirst(false)}),
  due AS MATERIALIZED (
    SELECT * FROM urgent UNION ALL SELECT * FROM other ORDER BY rank, due, submission LIMIT $3
  )
  UPDATE deliveries v SET attempts = attempts + 1, leased_until = $4
  FROM due WHERE v.submission = due.submission RETURNING v.submission`;

/** Counts the delivery once, however often staff have the request sent again. */
const finish = `
  WITH claimed AS (
    SELECT submission, counted FROM deliveries ${fence} FOR UPDATE
  ), finished AS (
    UPDATE deliveries v SET delivered_at = $3, leased_until = NULL, last_error = NULL, counted = true
    FROM claimed WHERE v.submission = claimed.submission RETURNING claimed.counted
  )
  SELECT CASE WHEN NOT counted THEN add_counts($4) END FROM finished`;

export function createPostgresDeliveries(sql: Sql): DeliveryQueue {
  return {
    ...createDeliveries(sql, claim),
    async finishDelivery({ submission: { id, form, receivedAt }, leasedUntil }, at) {
      const counts = serializeCounts([countDelivered(form, receivedAt, at)]);
      const values = [id, leasedUntil, await sql.toDatabaseTime(at), counts];
      return (await sql.query(finish, values)).rowCount === 1;
    },
  };
}

import type { DeliveryQueue } from '../contract/delivery-queue.ts';
import { countDelivered, serializeCounts } from '../rows/counting.ts';
import { createDeliveries, endMail } from '../rows/delivery-queries.ts';
import type { Sql } from '../rows/sql.ts';

/** Counts the delivery once, however often staff have the request sent again. */
const finish = `
  WITH ended AS (${endMail}), known AS (
    SELECT id, counted FROM submissions WHERE id IN (SELECT submission FROM ended) FOR UPDATE
  ), finished AS (
    UPDATE submissions s SET accepted_at = $3, counted = true
    FROM known WHERE s.id = known.id RETURNING known.counted
  )
  SELECT CASE WHEN NOT counted THEN add_counts($4) END FROM finished`;

export function createPostgresDeliveries(sql: Sql): DeliveryQueue {
  return {
    ...createDeliveries(sql),
    async finishDelivery({ key, leasedUntil, submission: { form, receivedAt } }, at) {
      const counts = serializeCounts([countDelivered(form, receivedAt, at)]);
      const values = [key, leasedUntil, await sql.toDatabaseTime(at), counts];
      return (await sql.query(finish, values)).rowCount === 1;
    },
  };
}

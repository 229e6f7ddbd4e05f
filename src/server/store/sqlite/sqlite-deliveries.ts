import type { DatabaseSync } from 'node:sqlite';
import type { DeliveryQueue } from '../contract/delivery-queue.ts';
import { countDelivered } from '../rows/counting.ts';
import { accept, createDeliveries, endMail } from '../rows/delivery-queries.ts';
import type { Sql } from '../rows/sql.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';

export function createSqliteDeliveries(db: DatabaseSync, sql: Sql): DeliveryQueue {
  const queue = createDeliveries(sql);
  const { countDelivery, deferDeliveryCount } = prepareCounting(db);
  return {
    ...queue,
    finishDelivery: ({ key, leasedUntil, submission: { form, receivedAt } }, at) =>
      inTransaction(db, async () => {
        const [ended] = (await sql.query(endMail, [key, leasedUntil])).rows;
        if (!ended) return false;
        await sql.query(accept, [ended.submission, at]);
        countDelivery(Number(ended.submission), countDelivered(form, receivedAt, at));
        return true;
      }),
    retryDeliveries: (which, now) =>
      inTransaction(db, () => {
        if (which !== 'all') deferDeliveryCount(which.reference);
        return queue.retryDeliveries(which, now);
      }),
  };
}

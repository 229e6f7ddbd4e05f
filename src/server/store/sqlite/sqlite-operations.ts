import type { DatabaseSync } from 'node:sqlite';
import { createCanaryStore } from '../rows/canary-queries.ts';
import { createDeliveries } from '../rows/delivery-queries.ts';
import { createFollowUps } from '../rows/follow-up-queries.ts';
import { createJobs } from '../rows/job-queries.ts';
import { createTimes } from '../rows/time-queries.ts';
import { createSqliteArchive } from './sqlite-archive.ts';
import { createSqliteCounts } from './sqlite-counts.ts';
import { createSqliteSql } from './sqlite-sql.ts';
import { createSqliteSubmissions } from './sqlite-submissions.ts';
import { createSqliteTransfer } from './sqlite-transfer.ts';

/** Everything the thread does with the database. The main thread calls each of these by its name. */
export function createOperations(db: DatabaseSync) {
  const sql = createSqliteSql(db);
  return {
    ...createSqliteSubmissions(db),
    ...createDeliveries(sql),
    ...createFollowUps(sql),
    ...createSqliteArchive(db, sql),
    ...createSqliteTransfer(db, sql),
    ...createCanaryStore(sql),
    ...createSqliteCounts(db, sql),
    ...createJobs(sql),
    ...createTimes(sql),
  };
}

export type SqliteOperations = ReturnType<typeof createOperations>;

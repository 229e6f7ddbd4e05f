import type { DatabaseSync } from 'node:sqlite';
import type { Archive } from '../contract/archive.ts';
import { createArchive } from '../rows/archive-queries.ts';
import type { Sql } from '../rows/sql.ts';

export function createSqliteArchive(db: DatabaseSync, sql: Sql) {
  return {
    ...createArchive(sql),
    // Erased rows stay readable in the log until it is emptied. Waiting for readers would hold up submissions.
    async scrub() {
      const before = Number(db.prepare('PRAGMA busy_timeout').get()?.timeout);
      db.exec('PRAGMA busy_timeout = 50');
      try {
        return Number(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy) === 0;
      } finally {
        db.exec(`PRAGMA busy_timeout = ${before}`);
      }
    },
  } satisfies Partial<Archive>;
}

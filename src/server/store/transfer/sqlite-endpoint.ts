import { databasePath, openAlone } from '../sqlite/database-file.ts';
import { createSqliteCounts } from '../sqlite/sqlite-counts.ts';
import { createSqliteMoving } from '../sqlite/sqlite-transfer.ts';
import type { MovingEnd } from './move-everything.ts';

/** Less than the time for which a lease is believed in. It ends by itself where a move does not. */
const leaseMs = 25 * 60_000;

/** The file, for nobody else until it is closed: a server that runs keeps it from being opened, and none can start. */
export function openSqliteEnd(dataDir: string, now: () => Date): MovingEnd {
  const db = openAlone(dataDir);
  const moving = createSqliteMoving(db);
  const counts = createSqliteCounts(db);
  return {
    description: `SQLite in ${databasePath(dataDir)}`,
    count: async () => moving.countForMoving(),
    readRows: async (after, limit) => moving.readRows(after, limit),
    async moveIn(rows) {
      const leasedUntil = new Date(now().getTime() + leaseMs).toISOString();
      moving.moveIn(rows.map((row) => ({ ...row, leasedUntil: row.deliveredAt ? null : leasedUntil })));
    },
    findMoved: async (row) => moving.findMoved(row),
    readCounts: async () => counts.readCounts(),
    mergeCounts: async (rows) => counts.mergeCounts(rows),
    release: async () => void moving.endLeases(),
    async empty() {
      moving.dropAll();
      // The log still has the rows as they were written; the pages were overwritten with zeros (secure_delete).
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    close: async () => db.close(),
  };
}

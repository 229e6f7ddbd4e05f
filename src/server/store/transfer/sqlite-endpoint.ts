import { databasePath, openExclusively } from '../sqlite/database-file.ts';
import { createSqliteCounts } from '../sqlite/sqlite-counts.ts';
import { createSqliteTransfer } from '../sqlite/sqlite-transfer.ts';
import type { TransferEndpoint } from './move-everything.ts';

/** Less than the time for which a lease is believed in. It ends by itself where a move does not. */
const leaseMs = 25 * 60_000;

/** The file, for nobody else until it is closed: a server that runs keeps it from being opened, and none can start. */
export function openSqliteEndpoint(dataDir: string, now: () => Date): TransferEndpoint {
  const db = openExclusively(dataDir);
  const moving = createSqliteTransfer(db);
  const counts = createSqliteCounts(db);
  return {
    description: `SQLite in ${databasePath(dataDir)}`,
    count: async () => moving.countForTransfer(),
    readRows: async (after, limit) => moving.readRows(after, limit),
    async receive(rows) {
      const leasedUntil = new Date(now().getTime() + leaseMs).toISOString();
      moving.receive(rows.map((row) => ({ ...row, leasedUntil: row.deliveredAt ? null : leasedUntil })));
    },
    findReceived: async (row) => moving.findReceived(row),
    readCounts: async () => counts.readCounts(),
    mergeCounts: async (rows) => counts.mergeCounts(rows),
    endLeases: async () => void moving.endLeases(),
    async empty() {
      moving.dropAll();
      // The log still has the rows as they were written; the pages were overwritten with zeros (secure_delete).
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    close: async () => db.close(),
  };
}

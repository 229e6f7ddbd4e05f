import { databasePath, openExclusively } from '../sqlite/database-file.ts';
import { createSqliteCounts } from '../sqlite/sqlite-counts.ts';
import { createSqliteTransfer } from '../sqlite/sqlite-transfer.ts';
import type { TransferEndpoint } from './move-everything.ts';

/** Less than the time for which a lease is plausible. The lease ends even if the move does not. */
const leaseMs = 25 * 60_000;

/** Locks the file until it is closed: this fails beside a running server, and none can start meanwhile. */
export function openSqliteEndpoint(dataDir: string): TransferEndpoint {
  const db = openExclusively(dataDir);
  const transfer = createSqliteTransfer(db);
  const counts = createSqliteCounts(db);
  return {
    description: `SQLite in ${databasePath(dataDir)}`,
    count: async () => transfer.countForTransfer(),
    readRows: async (after, limit) => transfer.readRows(after, limit),
    async receive(rows) {
      const leasedUntil = new Date(Date.now() + leaseMs).toISOString();
      const leased = rows.map((row) => ({ ...row, leasedUntil: row.deliveredAt ? null : leasedUntil }));
      await transfer.importRows(leased, true);
    },
    findReceived: async (row) => transfer.findReceived(row),
    readCounts: counts.readCounts,
    mergeCounts: counts.mergeCounts,
    endLeases: async () => void transfer.endLeases(),
    async empty() {
      transfer.dropAll();
      // The log still has the rows; the pages were overwritten with zeros (secure_delete).
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    close: async () => db.close(),
  };
}

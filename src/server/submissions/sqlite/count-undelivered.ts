import { DatabaseSync } from 'node:sqlite';

/** How many in this file have not reached staff, for a file that no server uses. Null where it cannot be read. */
export function countUndelivered(path: string): number | null {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 500 });
    const row = db.prepare('SELECT count(*) AS count FROM deliveries WHERE delivered_at IS NULL').get();
    return Number(row?.count);
  } catch {
    return null;
  }
}

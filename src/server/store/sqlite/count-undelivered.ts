import { DatabaseSync } from 'node:sqlite';

/** False for a file of a version that had no canary; only the server migrates a file. */
export const knowsCanaries = (db: DatabaseSync): boolean =>
  db.prepare(`SELECT 1 FROM pragma_table_info('submissions') WHERE name = 'canary'`).get() !== undefined;

/** How many in this file have not reached staff, for a file that no server uses. Null where it cannot be read. */
export function countUndelivered(path: string): number | null {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 500 });
    const persons = knowsCanaries(db)
      ? 'AND submission NOT IN (SELECT id FROM submissions WHERE canary = 1)'
      : '';
    const row = db
      .prepare(`SELECT count(*) AS count FROM deliveries WHERE delivered_at IS NULL ${persons}`)
      .get();
    return Number(row?.count);
  } catch {
    return null;
  }
}

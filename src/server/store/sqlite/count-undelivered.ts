import { DatabaseSync } from 'node:sqlite';
import { knowsCanaries } from './sqlite-canary.ts';

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

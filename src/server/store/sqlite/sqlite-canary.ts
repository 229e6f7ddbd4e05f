import type { DatabaseSync } from 'node:sqlite';

/** False for a file of a version that had no canary; only the server migrates a file. */
export const knowsCanaries = (db: DatabaseSync): boolean =>
  db.prepare(`SELECT 1 FROM pragma_table_info('submissions') WHERE name = 'canary'`).get() !== undefined;

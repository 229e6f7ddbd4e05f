import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { readMigrations } from '../../src/server/store/rows/migrations.ts';
import { temporaryFolder } from './temporary.ts';

/** The tables as an earlier version made them, in a new database. Returns the settings with which it is opened. */
export async function makeOlder(
  version: number,
  url: string | null,
  rows = '',
): Promise<Record<string, string>> {
  const environment = { DATA_DIR: temporaryFolder(), ...(url && { DATABASE_URL: url }) };
  const migrations = readMigrations(url ? 'postgres' : 'sqlite').slice(0, version);
  const sql = [...migrations.map((one) => one.sql), rows].join('\n;\n');
  if (url === null) {
    using db = new DatabaseSync(join(environment.DATA_DIR, 'awhina.sqlite'));
    db.exec(`PRAGMA journal_mode = WAL; ${sql}; PRAGMA user_version = ${version}`);
    return environment;
  }
  const client = new pg.Client(url);
  await client.connect();
  try {
    const applied = migrations.map(({ number }) => `(${number}, now())`);
    await client.query(`
      ${sql};
      CREATE TABLE migrations (number integer PRIMARY KEY, applied_at timestamptz NOT NULL);
      INSERT INTO migrations VALUES ${applied.join(', ')}`);
  } finally {
    await client.end();
  }
  return environment;
}

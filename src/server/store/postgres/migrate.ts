import type { Pool, PoolClient, QueryConfig } from 'pg';
import { readMigrations } from '../rows/migrations.ts';
import { checkSchema, type SchemaVersion } from '../rows/schema-version.ts';

/** The number of our advisory lock for migrating, the same for every server. */
const migrationLock = 4_241_966;
/** An index over a million requests takes longer than any query of ours may. */
const migrationMs = 10 * 60_000;

/** Whether to migrate the tables; 'if new' makes them in a database that has none. Otherwise they are used as they are. */
export type Migrates = boolean | 'if new';

export async function migrate(pool: Pool, migrates: Migrates): Promise<void> {
  const migrations = readMigrations('postgres');
  const known = migrations.at(-1)?.number ?? 0;
  const client = await pool.connect();
  try {
    // Without the lock, which a migrating server may hold: most starts have nothing to migrate.
    const found = await readVersion(client);
    checkSchema(found, known, migrates === 'if new' ? found.version === 0 : migrates);
    if (found.version >= known) return;
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    // Only after the lock: a process that gave up waiting would otherwise go on waiting in the database.
    await client.query(`SET LOCAL statement_timeout = ${migrationMs}`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, applied_at timestamptz NOT NULL)',
    );
    const { version } = await readVersion(client);
    for (const { number, sql } of migrations) {
      if (number <= version) continue;
      await client.query({ text: sql, query_timeout: migrationMs } as QueryConfig);
      await client.query('INSERT INTO migrations (number, applied_at) VALUES ($1, now())', [number]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function readVersion(client: PoolClient): Promise<SchemaVersion> {
  const has = async (table: string) =>
    (await client.query('SELECT to_regclass($1) IS NOT NULL AS there', [table])).rows[0].there === true;
  if (!(await has('migrations'))) return { version: 0, oldest: null };
  const { rows } = await client.query('SELECT coalesce(max(number), 0) AS version FROM migrations');
  const support = (await has('schema_support'))
    ? await client.query('SELECT oldest FROM schema_support')
    : null;
  return { version: rows[0].version, oldest: support?.rows[0]?.oldest ?? null };
}

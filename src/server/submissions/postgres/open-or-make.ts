import pg from 'pg';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const connectMs = 5_000;

/** For the command: makes the tables of a database that has none, and leaves one that has to the server to migrate. */
export async function openOrMake(url: string): Promise<PostgresStore> {
  return openPostgresStore(url, () => {}, { migrates: await isNew(url) });
}

async function isNew(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT to_regclass('migrations') IS NULL AS is_new`);
    return rows[0].is_new;
  } finally {
    await client.end();
  }
}

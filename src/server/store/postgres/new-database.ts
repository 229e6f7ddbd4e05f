import pg from 'pg';
import { connectionOptions } from './connection.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

const connectMs = 5_000;

/** Makes the tables of a database that has none. A database that has them is the server's to migrate. */
export async function openOrMake(url: string): Promise<PostgresStore> {
  return openPostgresStore(url, () => {}, { migrates: await isNewDatabase(url) });
}

async function isNewDatabase(url: string): Promise<boolean> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: connectMs });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query(`SELECT to_regclass('migrations') IS NULL AS is_new`);
    return rows[0].is_new;
  } finally {
    await client.end();
  }
}

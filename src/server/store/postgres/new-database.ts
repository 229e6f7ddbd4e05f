import pg from 'pg';
import { connectionOptions } from './connection.ts';

const connectMs = 5_000;

/** Whether a database has no tables of ours yet. */
export async function isNewDatabase(url: string): Promise<boolean> {
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

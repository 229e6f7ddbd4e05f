import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';

/** The PostgreSQL that all tests share (shared-postgres.ts). */
export const sharedPostgres = () => inject('postgres');

let pool: pg.Pool | undefined;
/** Asks in the database `postgres`. The connection stays open for the worker's next test and does not keep its process. */
export function administer(sql: string): Promise<pg.QueryResult> {
  if (!pool) {
    pool = new pg.Pool({ connectionString: sharedPostgres().url, max: 2, allowExitOnIdle: true });
    pool.on('error', () => {});
  }
  return pool.query(sql);
}

/** Without tables, for tests of how they are made. */
export const empty = 'TEMPLATE template0';

/** Returns the URL of a new database that has our tables and no rows, or what these options say. It ends with the test. */
export async function createDatabase(options?: string): Promise<string> {
  const { url, template } = sharedPostgres();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(`CREATE DATABASE ${name} ${options ?? `TEMPLATE ${template}`}`);
  onTestFinished(async () => void (await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)));
  const address = url.replace(/postgres$/, name);
  // As in any two databases whose tables were made, the names under which they count differ.
  if (!options)
    await query(address, `UPDATE count_origin SET origin = replace(gen_random_uuid()::text, '-', '')`);
  return address;
}

/** Where this database's files are, after what was written has reached them. */
export async function databaseFolder(url: string): Promise<string> {
  const { rows } = await query(url, 'SELECT oid FROM pg_database WHERE datname = current_database()');
  await administer('CHECKPOINT');
  return join(sharedPostgres().folder, 'base', String(rows[0].oid));
}

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

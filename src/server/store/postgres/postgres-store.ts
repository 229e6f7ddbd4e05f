import pg from 'pg';
import { StoreUnavailable, StoreUnfit } from '../contract/errors.ts';
import type { SharedStore } from '../contract/store.ts';
import type { TransferTarget } from '../contract/transfer.ts';
import { createCanaryStore } from '../rows/canary-queries.ts';
import { createDeliveries } from '../rows/delivery-queries.ts';
import { createFollowUps } from '../rows/follow-up-queries.ts';
import { createImport } from '../rows/import-rows.ts';
import { createJobs } from '../rows/job-queries.ts';
import type { Query } from '../rows/sql.ts';
import { createTimes } from '../rows/time-queries.ts';
import type { TransferRow } from '../rows/transfer-row.ts';
import { connectionOptions } from './connection.ts';
import { type Migrates, migrate } from './migrate.ts';
import { createPostgresArchive } from './postgres-archive.ts';
import { createPostgresCounts } from './postgres-counts.ts';
import { createPostgresSql, queryOn } from './postgres-sql.ts';
import { createPostgresSubmissions } from './postgres-submissions.ts';

/** After this long without a connection the database counts as away: the visitor's browser tries again. */
const connectMs = 2_000;
/** No query of ours takes this long unless the database is failing. */
const queryMs = 5_000;

export type PostgresStore = SharedStore & TransferTarget<TransferRow>;

export async function openPostgresStore(
  url: string,
  onConnectionError: (error: Error) => void,
  { migrates = true }: { migrates?: Migrates } = {},
): Promise<PostgresStore> {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    application_name: 'awhina',
    max: 10,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    statement_timeout: queryMs,
    // A server that vanished within a transaction would otherwise lock its rows for hours.
    idle_in_transaction_session_timeout: queryMs,
    keepAlive: true,
  });
  // Without both handlers a restart of the database ends this process (brianc/node-postgres#2386, #2635).
  pool.on('error', onConnectionError);
  pool.on('connect', (client) => client.on('error', onConnectionError));
  try {
    await checkDurable(pool);
    await checkEncoding(pool);
    await migrate(pool, migrates);
  } catch (error) {
    await pool.end();
    throw error;
  }

  const unavailable = (cause: unknown) => {
    throw new StoreUnavailable('PostgreSQL could not be asked', { cause });
  };
  const query: Query = (text, values) => queryOn(pool)(text, values).catch(unavailable);

  return {
    ...createOperations(pool, query),
    description: describePostgres(url),
    async shareSecret(name, proposed) {
      await query('INSERT INTO secrets VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, proposed]);
      return String((await query('SELECT value FROM secrets WHERE name = $1', [name])).rows[0]?.value);
    },
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}

export function createOperations(pool: pg.Pool, query: Query) {
  const sql = createPostgresSql(query, pool);
  return {
    ...createPostgresSubmissions(pool, query),
    ...createDeliveries(sql),
    ...createFollowUps(sql),
    ...createJobs(sql),
    ...createTimes(sql),
    ...createCanaryStore(sql),
    ...createPostgresArchive(sql, pool),
    ...createPostgresCounts(sql),
    importRows: createImport(sql),
  };
}

/** Without the user and the password. */
export function describePostgres(url: string): string {
  const { pathname, host } = new URL(url);
  return `PostgreSQL, database ${pathname.slice(1)} at ${host}`;
}

/** PostgreSQL can be set to acknowledge a commit before it has synced it. Such a database is refused. */
async function checkDurable(pool: pg.Pool): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await pool.query(`SELECT current_setting('${name}') AS value`);
    if (rows[0].value === 'off')
      throw new StoreUnfit(`PostgreSQL runs with ${name} = off and can lose committed data`);
  }
}

/** Other encodings cannot store all that people write, such as macrons. */
async function checkEncoding(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(`SELECT current_setting('server_encoding') AS value`);
  if (rows[0].value !== 'UTF8')
    throw new StoreUnfit(
      `PostgreSQL keeps this database in ${rows[0].value}. Make one with ENCODING 'UTF8': others cannot hold all that people write`,
    );
}

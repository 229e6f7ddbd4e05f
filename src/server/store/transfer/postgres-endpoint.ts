import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Count } from '../contract/counts.ts';
import { plausibleMs } from '../contract/leases.ts';
import { connectionOptions } from '../postgres/connection.ts';
import { addCounts, importRow } from '../postgres/import-rows.ts';
import { isMoveLease } from '../postgres/move-lease.ts';
import { mergeCounts } from '../postgres/postgres-counts.ts';
import { queryOn } from '../postgres/postgres-sql.ts';
import { applicationName, describePostgres } from '../postgres/postgres-store.ts';
import { readCounts } from '../rows/count-rows.ts';
import { aliasesOf, matchSubmission } from '../rows/same-submission.ts';
import { selectTransferRows } from '../rows/selects.ts';
import { type TransferRow, toTransferRow } from '../rows/transfer-row.ts';
import type { TransferEndpoint } from './move-everything.ts';
import { readTransferPage } from './postgres-snapshot.ts';

/** A server uses the database that is to be emptied. */
export class StillInUse extends Error {
  override name = 'StillInUse';
}

/** A server of an earlier version set no name, which the driver reports as ''. */
const selectServers = `
  SELECT count(*)::integer AS n FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name IN ('', $1)
    AND backend_type = 'client backend'`;

const selectLeased = `
  SELECT count(*)::integer AS n FROM deliveries
  WHERE delivered_at IS NULL AND leased_until > now() AND leased_until <= now() + interval '${plausibleMs} ms'`;

/**
 * A database with its tables. As the source it is locked until it is emptied: writers wait, and a server that uses it all
 * the same stores submissions in its fallback. As the target other servers may use it.
 *
 * @throws {StillInUse}
 */
export async function openPostgresEndpoint(url: string, role: 'from' | 'to'): Promise<TransferEndpoint> {
  const client = new pg.Client({ ...connectionOptions(url), application_name: 'awhina move' });
  client.on('error', () => {});
  await client.connect();
  try {
    if (role === 'from') await lock(client);
  } catch (error) {
    await client.end();
    throw error;
  }

  const query = queryOn(client);
  return {
    description: describePostgres(url),
    count: async () =>
      Number((await client.query('SELECT count(*) AS n FROM submissions WHERE NOT canary')).rows[0].n),
    readRows: (after, limit) => readTransferPage(query, after, limit),
    async receive(rows) {
      await client.query('BEGIN');
      const counts: Count[] = [];
      for (const row of rows) await importRow(client, row, counts, true);
      await addCounts(client, counts);
      await client.query('COMMIT');
    },
    async findReceived(row: TransferRow) {
      const { tokenHashes, references } = aliasesOf(row);
      const sql = `${selectTransferRows} WHERE s.token_hash = ANY ($1) OR s.reference = ANY ($2)`;
      const { rows } = await client.query(sql, [tokenHashes, references]);
      const { same } = matchSubmission(row, rows);
      return same && toTransferRow({ ...same });
    },
    readCounts: () => readCounts(query),
    mergeCounts: (rows) => mergeCounts(query, rows),
    async endLeases() {
      await client.query(`UPDATE deliveries SET leased_until = NULL WHERE ${isMoveLease}`);
    },
    // Unlike DELETE, TRUNCATE leaves nothing in the files: they are created anew.
    async empty() {
      await client.query('TRUNCATE submissions, deliveries, counts');
      // The counts from now on need an origin of their own.
      await client.query(`UPDATE count_origin SET origin = replace(gen_random_uuid()::text, '-', '')`);
      await client.query('COMMIT');
    },
    close: () => client.end(),
  };
}

async function lock(client: pg.Client): Promise<void> {
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = '5s'`);
  await client.query('LOCK TABLE submissions, deliveries, counts IN EXCLUSIVE MODE');
  const count = async (sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows[0].n;
  const countServers = async () => {
    // Within one transaction PostgreSQL would repeat its first answer.
    await client.query('SELECT pg_stat_clear_snapshot()');
    return count(selectServers, [applicationName]);
  };
  // A connection that was closed just now, such as our own, is listed for a moment; on a busy machine for some seconds.
  for (let tries = 0; tries < 50 && (await countServers()) > 0; tries++) await setTimeout(100);
  if ((await countServers()) > 0)
    throw new StillInUse('A server still runs on the database in DATABASE_URL. Stop every server first.');
  if ((await count(selectLeased)) > 0)
    throw new StillInUse(
      'Something was just being mailed from the database in DATABASE_URL. Try again in half an hour at the latest.',
    );
}

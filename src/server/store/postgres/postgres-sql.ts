import type { ClientBase, Pool, PoolClient } from 'pg';
import { StoreUnavailable } from '../contract/errors.ts';
import type { Dialect, Query, Sql } from '../rows/sql.ts';
import { createDatabaseClock } from './database-clock.ts';
import { commit, LostCommit } from './lost-commit.ts';

export const postgresDialect: Dialect = {
  yes: 'true',
  no: 'false',
  isOneOf: (column, list) => `${column} = ANY (${list})`,
  skipLocked: 'FOR UPDATE SKIP LOCKED',
  joinInOrder: 'JOIN',
  readJobs: (list) => `(
    SELECT kind, name, "dueAt" AS due_at, rank, coalesce(attempts, 0) AS attempts, coalesce(done, 0) AS done, error
    FROM json_to_recordset(${list}::json)
      AS g(kind text, name text, "dueAt" timestamptz, rank integer, attempts integer, done integer, error text)) AS job`,
  writeJobs: (submission) => `(
    SELECT coalesce(json_agg(json_build_object('kind', kind, 'name', split_part(key, ':', 1),
      'dueAt', to_char(due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'rank', rank, 'attempts', attempts, 'done', done, 'error', last_error)), '[]')::text FROM jobs WHERE submission = ${submission} AND kind <> 'transfer')`,
  greatest: 'greatest',
  countsIn: (list) => ({
    from: `json_to_recordset(${list}::json)
      AS c(kind text, period text, form text, field text, value text, count bigint, most bigint)`,
    column: (name) => `c.${name}`,
  }),
  forUpdate: 'FOR UPDATE',
  sortOnly: (column) => column,
};

/** @throws what the driver throws */
export const queryOn =
  (connection: Pool | ClientBase): Query =>
  (text, values = []) =>
    connection.query(text, [...values]);

export function createPostgresSql(query: Query, pool: Pool): Sql {
  const inTransaction: Sql['inTransaction'] = (work) =>
    withClient(pool, async (client) => {
      await client.query('BEGIN');
      const result = await work(queryOn(client));
      await commit(client);
      return result;
    });
  return { query, inTransaction, toDatabaseTime: createDatabaseClock(query), dialect: postgresDialect };
}

/**
 * Several queries on one connection. Where they fail the connection is closed and not reused, which ends a transaction in
 * whatever state.
 *
 * @throws {StoreUnavailable}
 */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  let client: PoolClient | undefined;
  try {
    client = await pool.connect();
    const result = await work(client);
    client.release();
    return result;
  } catch (cause) {
    client?.release(true);
    throw new StoreUnavailable('PostgreSQL could not be asked', {
      cause,
      mayBeStored: cause instanceof LostCommit,
    });
  }
}

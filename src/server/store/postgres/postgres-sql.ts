import type { ClientBase, Pool } from 'pg';
import type { Dialect, Query, Sql } from '../rows/sql.ts';
import { createDatabaseClock } from './database-clock.ts';

const dialect: Dialect = {
  yes: 'true',
  no: 'false',
  isOneOf: (column, list) => `${column} = ANY (${list})`,
  joinInOrder: 'JOIN',
  sortOnly: (column) => column,
};

/** @throws what the driver throws */
export const queryOn =
  (connection: Pool | ClientBase): Query =>
  (text, values = []) =>
    connection.query(text, [...values]);

export function createPostgresSql(query: Query): Sql {
  return { query, toDatabaseTime: createDatabaseClock(query), dialect };
}

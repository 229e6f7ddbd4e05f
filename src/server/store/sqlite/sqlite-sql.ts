import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Dialect, Query, Sql } from '../rows/sql.ts';
import { inTransaction } from './database-file.ts';

export const sqliteDialect: Dialect = {
  yes: '1',
  no: '0',
  isOneOf: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  skipLocked: '',
  joinInOrder: 'CROSS JOIN',
  readJobs: (list) => `(
    SELECT value ->> 'kind' AS kind, value ->> 'name' AS name, value ->> 'dueAt' AS due_at, value ->> 'rank' AS rank,
      coalesce(value ->> 'attempts', 0) AS attempts, coalesce(value ->> 'done', 0) AS done, value ->> 'error' AS error FROM json_each(${list})) AS job`,
  writeJobs: (submission) => `(
    SELECT json_group_array(json_object('kind', kind, 'name', substr(key, 1, instr(key, ':') - 1), 'dueAt', due_at,
      'rank', rank, 'attempts', attempts, 'done', done, 'error', last_error)) FROM jobs WHERE submission = ${submission} AND kind <> 'transfer')`,
  greatest: 'max',
  countsIn: (list) => ({
    from: `json_each(${list}) AS j`,
    column: (name) => `(j.value ->> '${name}')`,
  }),
  forUpdate: '',
  sortOnly: (column) => `+${column}`,
};

function toColumn(value: unknown): SQLInputValue {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return Number(value);
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
}

export function createSqliteSql(db: DatabaseSync): Sql {
  const prepared = new Map<string, StatementSync>();
  const query: Query = async (text, values = []) => {
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    const named = Object.fromEntries(values.map((value, index) => [`$${index + 1}`, toColumn(value)]));
    if (statement.columns().length === 0) return { rows: [], rowCount: Number(statement.run(named).changes) };
    const rows = statement.all(named);
    return { rows, rowCount: rows.length };
  };
  // Only this machine uses the file, so there is one clock.
  return {
    ...{ query, dialect: sqliteDialect },
    toDatabaseTime: async (at) => at,
    inTransaction: (work) => inTransaction(db, () => work(query)),
  };
}

import pg from 'pg';
import type { CountRow } from '../contract/counts.ts';
import { connectionOptions } from '../postgres/connection.ts';
import { postgresDialect, queryOn } from '../postgres/postgres-sql.ts';
import { readCounts } from '../rows/count-queries.ts';
import { selectTransferRows } from '../rows/selects.ts';
import type { Query } from '../rows/sql.ts';
import {
  iterateTransferRows,
  type TransferPage,
  type TransferRow,
  toTransferRow,
} from '../rows/transfer-row.ts';

const connectMs = 5_000;

/** A snapshot of the database without its canary, while servers go on writing: the counts, and the submissions a page at a time. */
export async function* readSnapshot(
  url: string,
  onCounts: (rows: CountRow[]) => void,
): AsyncGenerator<TransferRow[]> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: connectMs });
  client.on('error', () => {});
  await client.connect();
  const query = queryOn(client);
  try {
    await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    onCounts(await readCounts(query));
    yield* iterateTransferRows((after, limit) => readTransferPage(query, after, limit));
  } finally {
    await client.end().catch(() => {});
  }
}

/** Without the canary. */
async function readTransferPage(query: Query, after: number, limit: number): Promise<TransferPage> {
  const sql = `${selectTransferRows(postgresDialect)} WHERE NOT s.canary AND s.id > $1 ORDER BY s.id LIMIT $2`;
  const { rows } = await query(sql, [after, limit]);
  return { last: Number(rows.at(-1)?.id ?? after), rows: rows.map(toTransferRow) };
}

import pg from 'pg';
import type { CountRow } from '../contract/counts.ts';
import { connectionOptions } from '../postgres/connection.ts';
import { readCountsIn } from '../postgres/postgres-counts.ts';
import { queryOn } from '../postgres/postgres-sql.ts';
import { selectTransferRows } from '../rows/selects.ts';
import { type TransferRow, toTransferRow } from '../rows/transfer-row.ts';

/** Rows read at a time. */
const page = 200;
const connectMs = 5_000;

/** A snapshot of the database without its canary, while servers go on writing: the counts, and the submissions a page at a time. */
export async function* readSnapshot(
  url: string,
  onCounts: (rows: CountRow[]) => void,
): AsyncGenerator<TransferRow[]> {
  const client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: connectMs });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    onCounts(await readCountsIn(queryOn(client)));
    for (let last = '0'; ; ) {
      const sql = `${selectTransferRows} WHERE NOT s.canary AND s.id > $1 ORDER BY s.id LIMIT ${page}`;
      const { rows } = await client.query(sql, [last]);
      if (rows.length === 0) return;
      yield rows.map((row) => toTransferRow(withTextTimes(row)));
      last = rows.at(-1).id;
    }
  } finally {
    await client.end().catch(() => {});
  }
}

export function withTextTimes(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );
}

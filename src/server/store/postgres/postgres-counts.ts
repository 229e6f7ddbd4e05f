import type { Pool } from 'pg';
import type { CountRow, CountTransfer, FigureSource } from '../contract/counts.ts';
import { readCounts, readFigures } from '../rows/count-rows.ts';
import type { Query } from '../rows/sql.ts';
import { queryOn, withClient } from './postgres-sql.ts';

const columns = 'kind, period, form, field, value, origin, count, most';
const record =
  'kind text, period text, form text, field text, value text, origin text, count bigint, most bigint';

const key = 'kind, period, form, field, value, origin';
/** The given rows may name the same count twice, as in a backup that was made while counts were transferred. */
const merge = `
  INSERT INTO counts (${columns})
  SELECT ${key}, max(count), max(most) FROM json_to_recordset($1::json) AS c(${record})
  GROUP BY ${key} ORDER BY ${key}
  ON CONFLICT (${key})
  DO UPDATE SET count = greatest(counts.count, excluded.count), most = greatest(counts.most, excluded.most)`;

async function mergeCounts(query: Query, rows: readonly CountRow[]): Promise<void> {
  await query(merge, [JSON.stringify(rows)]);
}

/** Counts, for figures and for a transfer to another database. */
export function createPostgresCounts(query: Query, pool: Pool): FigureSource & CountTransfer {
  return {
    readFigures: (from, to) =>
      withClient(pool, async (client) => {
        // One snapshot for all queries.
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const figures = await readFigures(queryOn(client), from, to);
        await client.query('COMMIT');
        return figures;
      }),
    readCounts: () => readCounts(query),
    mergeCounts: (rows) => mergeCounts(query, rows),
  };
}

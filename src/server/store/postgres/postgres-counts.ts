import type { Pool } from 'pg';
import type { CountTransfer, FigureSource } from '../contract/counts.ts';
import { figureQueries, toCountRow, toFigures } from '../rows/count-rows.ts';
import type { Query } from '../rows/sql.ts';
import { withClient } from './postgres-sql.ts';

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

export const mergeCountsIn = (query: Query, rows: Parameters<CountTransfer['mergeCounts']>[0]) =>
  query(merge, [JSON.stringify(rows)]);

export async function readCountsIn(query: Query) {
  return (await query(`SELECT ${columns} FROM counts`, [])).rows.map(toCountRow);
}

/** Counts, for figures and for a transfer to another database. */
export function createPostgresCounts(query: Query, pool: Pool): FigureSource & CountTransfer {
  const queries = figureQueries('$1', '$2');
  return {
    readFigures: (from, to) =>
      withClient(pool, async (client) => {
        const read = async (sql: string) => (await client.query(sql, [from, to])).rows;
        // One snapshot for all four queries.
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const figures = toFigures({
          received: await read(queries.received),
          choices: await read(queries.choices),
          hours: await read(queries.hours),
          delivered: await read(queries.delivered),
        });
        await client.query('COMMIT');
        return figures;
      }),
    readCounts: () => readCountsIn(query),
    async mergeCounts(rows) {
      await mergeCountsIn(query, rows);
    },
  };
}

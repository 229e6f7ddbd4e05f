import type { Pool, QueryResult } from 'pg';
import { addUp, type Count } from '../../figures/counting.ts';
import type { FigureSource } from '../../figures/figures.ts';
import { type CountKeeping, figureQueries, toCountRow, toFigures } from '../count-rows.ts';
import { StoreUnavailable } from '../submission-store.ts';

type Query = (text: string, values: unknown[]) => Promise<QueryResult>;

/** Names "counting" among PostgreSQL's advisory locks. */
const countingLock = 4_241_967;
/** As many can count at a time without waiting for each other. */
const lanes = 32;

const columns = 'kind, period, form, field, value, origin, count, most';
const record =
  'kind text, period text, form text, field text, value text, origin text, count bigint, most bigint';

/**
 * As parts of a WITH: counts what `given` lists, where `where` has a row. All servers count the same things, and a row is locked
 * until its transaction is synced: one row for all would have everybody wait for everybody's sync. So each takes the
 * first lane that is free; on a quiet site that is always the same one. Where none is, they share the last, in one order.
 */
export const addCounts = (given: string, where: string) => `
  lane AS MATERIALIZED (
    SELECT (SELECT origin FROM count_origin) || '-' || coalesce((
      SELECT n FROM generate_series(1, ${lanes}) n WHERE pg_try_advisory_xact_lock(${countingLock}, n) LIMIT 1
    ), 0) AS origin
  ), counted AS (
    INSERT INTO counts (${columns})
    SELECT c.kind, c.period, c.form, c.field, c.value, lane.origin, c.count, c.most
    FROM json_to_recordset(${given}::json) AS c(${record}), lane WHERE EXISTS (SELECT FROM ${where})
    ON CONFLICT (kind, period, form, field, value, origin)
    DO UPDATE SET count = counts.count + excluded.count, most = greatest(counts.most, excluded.most)
  )`;

/** In one order, for those that share a lane. */
export const writeCounts = (counts: readonly Count[]) => JSON.stringify(addUp(counts));

const merge = `
  INSERT INTO counts (${columns}) SELECT ${columns} FROM json_to_recordset($1::json) AS c(${record})
  ORDER BY ${columns}
  ON CONFLICT (kind, period, form, field, value, origin)
  DO UPDATE SET count = greatest(counts.count, excluded.count), most = greatest(counts.most, excluded.most)`;

export const mergeCountsIn = (query: Query, rows: Parameters<CountKeeping['mergeCounts']>[0]) =>
  query(merge, [JSON.stringify(rows)]);

export async function readCountsIn(query: Query) {
  return (await query(`SELECT ${columns} FROM counts`, [])).rows.map(toCountRow);
}

/** What is counted, for whoever asks for figures, and on its way to another database. */
export function createPostgresCounts(query: Query, pool: Pool): FigureSource & CountKeeping {
  const queries = figureQueries('$1', '$2');
  return {
    async readFigures(from, to) {
      const client = await pool.connect().catch((cause) => {
        throw new StoreUnavailable('PostgreSQL could not be reached', { cause });
      });
      const read = async (sql: string) => (await client.query(sql, [from, to])).rows;
      try {
        // So that all of it is of one moment.
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const figures = toFigures({
          received: await read(queries.received),
          choices: await read(queries.choices),
          hours: await read(queries.hours),
          delivered: await read(queries.delivered),
        });
        await client.query('COMMIT');
        client.release();
        return figures;
      } catch (cause) {
        client.release(true);
        throw new StoreUnavailable('PostgreSQL could not be asked', { cause });
      }
    },
    readCounts: () => readCountsIn(query),
    async mergeCounts(rows) {
      await mergeCountsIn(query, rows);
    },
  };
}

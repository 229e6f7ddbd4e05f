import type { CountTransfer, FigureSource } from '../contract/counts.ts';
import { readCounts, readFigures } from '../rows/count-queries.ts';
import type { Sql } from '../rows/sql.ts';

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

/** Counts, for figures and for a transfer to another database. */
export const createPostgresCounts = ({ query }: Sql): FigureSource & CountTransfer => ({
  readFigures: (from, to) => readFigures(query, from, to),
  readCounts: () => readCounts(query),
  async mergeCounts(rows) {
    await query(merge, [JSON.stringify(rows)]);
  },
});

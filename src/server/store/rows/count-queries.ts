import type { FormName } from '../../../model/form-field.ts';
import type { Count, CountRow, Figures } from '../contract/counts.ts';
import { mergeEqualCounts, readCountList, serializeCounts } from './counting.ts';
import type { Dialect, Query, Row } from './sql.ts';

/** What is counted stands in the row of each submission, and is added up in `counts` when it is erased. */

const columns = ['kind', 'period', 'form', 'field', 'value', 'count', 'most'] as const;
const key = 'kind, period, form, field, value, origin';

/** Sorted: two servers that add to the same rows wait for each other and never deadlock. */
const addUp = ({ greatest, countsIn }: Dialect) => {
  const { from, column } = countsIn('$1');
  const given = columns.map(column);
  return `
  INSERT INTO counts (${columns.join(', ')}, origin)
  SELECT ${given.join(', ')}, origin FROM ${from} CROSS JOIN count_origin WHERE true ORDER BY ${given.slice(0, 5).join(', ')}
  ON CONFLICT (${key}) DO UPDATE SET count = counts.count + excluded.count, most = ${greatest}(counts.most, excluded.most)`;
};

/** Equal texts are read once: most requests of an hour are counted alike. */
const equalTexts = (where: string) =>
  `SELECT counts, count(*) AS times FROM submissions WHERE counts <> '' ${where} GROUP BY counts`;

const sumUp = (rows: readonly Row[]): Count[] =>
  mergeEqualCounts(
    rows.flatMap(({ counts, times }) =>
      readCountList(String(counts)).map((one) => ({ ...one, count: one.count * Number(times) })),
    ),
  ).filter(({ count }) => count > 0);

/** Adds what is counted of these, which are about to be erased in the same transaction. */
export async function rollUp(query: Query, dialect: Dialect, ids: readonly unknown[]): Promise<void> {
  const { rows } = await query(equalTexts(`AND ${dialect.isOneOf('id', '$1')}`), [ids]);
  await addCounts(query, dialect, sumUp(rows));
}

export async function addCounts(query: Query, dialect: Dialect, counts: readonly Count[]): Promise<void> {
  if (counts.length > 0) await query(addUp(dialect), [serializeCounts(counts)]);
}

/** Adds one of a kind to what is counted of a submission: the first of its kind. @param added its JSON, as $n */
export const withFirst = (kind: Count['kind'], added: string): string => `CASE
  WHEN counts IN ('', '[]') OR counts LIKE '%"kind":"${kind}"%' THEN counts
  ELSE substr(counts, 1, length(counts) - 1) || ',' || ${added} || ']' END`;

/** One query, so that no request is erased between two. Those of stored requests are the rows with `times`. */
const selectFigures = `
  SELECT kind, period, form, field, value, sum(count) AS count, max(most) AS most, NULL AS counts, 0 AS times FROM counts
  WHERE period BETWEEN substr($1, 1, 7) AND $2 GROUP BY kind, period, form, field, value
  UNION ALL SELECT '', '', '', '', '', 0, 0, stored.* FROM (${equalTexts('')}) stored`;

/** From a month on, because hours are counted by it. */
export async function readFigures(query: Query, from: string, to: string): Promise<Figures> {
  const { rows } = await query(selectFigures, [from, to]);
  const [stored, erased] = [
    rows.filter(({ times }) => Number(times) > 0),
    rows.filter(({ times }) => Number(times) === 0),
  ];
  const inPeriod = ({ period }: Count) => period >= from.slice(0, 7) && period <= to;
  const all = mergeEqualCounts([...erased.map(toCount), ...sumUp(stored).filter(inPeriod)])
    .filter(({ count }) => count > 0)
    .toSorted(byPeriod);
  const ofKind = (kind: Count['kind']) =>
    all.filter((one) => one.kind === kind && (kind === 'hour' || one.period >= from));
  const byDay = ({ period: day, form, count }: Count) => ({ day, form, count });
  const byValue = (one: Count) => ({ ...byDay(one), within: Number(one.value) });
  return {
    received: ofKind('received').map(byDay),
    choices: byMonth(ofKind('choice')),
    languages: ofKind('language').map((one) => ({ ...byDay(one), language: one.value })),
    hours: ofKind('hour').map(({ period: month, form, value, count }) => ({
      ...{ month, form, hour: Number(value), count },
    })),
    delivered: ofKind('delivered').map((one) => ({ ...byValue(one), slowestSeconds: one.most })),
    answered: ofKind('answered').map(byValue),
  };
}

function byMonth(choices: readonly Count[]): Figures['choices'] {
  const keyOf = ({ period, form, field, value }: Count) =>
    JSON.stringify([period.slice(0, 7), form, field, value]);
  const groups = [...Map.groupBy(choices, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([key, same]) => {
    const [month, form, field, choice] = JSON.parse(key) as [string, FormName, string, string];
    return { month, form, field, choice, count: same.reduce((sum, { count }) => sum + count, 0) };
  });
}

export async function readCounts(query: Query): Promise<CountRow[]> {
  return (await query('SELECT * FROM counts')).rows.map(toCountRow);
}

function toCount(row: Row): Count {
  const { kind, period, form, field, value } = row as unknown as Count;
  return { kind, period, form, field, value, count: Number(row.count), most: Number(row.most) };
}

export const toCountRow = (row: Row): CountRow => ({ ...toCount(row), origin: String(row.origin) });

const orderOf = ({ period, form, field, value }: Count) =>
  JSON.stringify([period, form, field, String(value.length).padStart(6, '0'), value]);
const byPeriod = (one: Count, other: Count) => (orderOf(one) < orderOf(other) ? -1 : 1);

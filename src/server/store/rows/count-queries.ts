import type { FormName } from '../../../model/form-field.ts';
import type { Count, CountRow, Figures } from '../contract/counts.ts';
import { serializeCounts } from './counting.ts';
import type { Dialect, Query, Row } from './sql.ts';

/** What is counted stands in the row of each submission, and is added up in `counts` when it is erased. */

const columns = ['kind', 'period', 'form', 'field', 'value', 'count', 'most'] as const;
const key = 'kind, period, form, field, value, origin';

const addUp = ({ greatest }: Dialect, selected: string) => `
  INSERT INTO counts (${columns.join(', ')}, origin) ${selected}
  ON CONFLICT (${key}) DO UPDATE SET count = counts.count + excluded.count, most = ${greatest}(counts.most, excluded.most)`;

const summed = ({ countsIn }: Dialect, list: string) => {
  const { from, column } = countsIn(list);
  const [names, numbers] = [columns.slice(0, 5).map(column), columns.slice(5).map(column)];
  return {
    from,
    select: `SELECT ${names.join(', ')}, sum(${numbers[0]}), max(${numbers[1]}), origin`,
    group: `GROUP BY ${names.join(', ')}, origin`,
    isCounted: `${numbers[0]} > 0`,
  };
};

/** Adds what is counted of these, which are about to be erased in the same transaction. */
export async function rollUp(query: Query, dialect: Dialect, ids: readonly unknown[]): Promise<void> {
  const { select, from, group, isCounted } = summed(dialect, 's.counts');
  const where = `WHERE ${dialect.isOneOf('s.id', '$1')} AND ${isCounted}`;
  await query(
    addUp(
      dialect,
      `${select} FROM submissions s CROSS JOIN ${from} CROSS JOIN count_origin ${where} ${group}`,
    ),
    [ids],
  );
}

export async function addCounts(query: Query, dialect: Dialect, counts: readonly Count[]): Promise<void> {
  if (counts.length === 0) return;
  const { select, from, group } = summed(dialect, '$1');
  await query(addUp(dialect, `${select} FROM ${from} CROSS JOIN count_origin WHERE true ${group}`), [
    serializeCounts(counts),
  ]);
}

/** Adds one of a kind to what is counted of a submission: the first of its kind. @param added its JSON, as $n */
export const withFirst = (kind: Count['kind'], added: string): string => `CASE
  WHEN counts = '' OR counts LIKE '%"kind":"${kind}"%' THEN counts
  ELSE substr(counts, 1, length(counts) - 1) || ',' || ${added} || ']' END`;

/** From a month on, because hours are counted by it. */
export async function readFigures(
  query: Query,
  dialect: Dialect,
  from: string,
  to: string,
): Promise<Figures> {
  const { from: each, column } = dialect.countsIn('s.counts');
  const own = columns.map((name) => `${column(name)} AS ${name}`).join(', ');
  const { rows } = await query(
    `SELECT kind, period, form, field, value, sum(count) AS count, max(most) AS most FROM (
       SELECT ${columns.join(', ')} FROM counts
       UNION ALL SELECT ${own} FROM submissions s CROSS JOIN ${each}
     ) every WHERE count > 0 AND period BETWEEN substr($1, 1, 7) AND $2
     GROUP BY kind, period, form, field, value ORDER BY period, form, field, length(value), value`,
    [from, to],
  );
  const all = rows.map(toCountRow);
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

export function toCountRow(row: Row): CountRow {
  const { kind, period, form, field, value, origin } = row as unknown as CountRow;
  return { kind, period, form, field, value, origin, count: Number(row.count), most: Number(row.most) };
}

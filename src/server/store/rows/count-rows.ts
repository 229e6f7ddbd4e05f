import type { CountRow, Figures } from '../contract/counts.ts';
import type { Query, Row } from './sql.ts';

/** The columns have the names of the figures' fields. */
const figureQueries: Record<keyof Figures, string> = {
  received: `SELECT period AS day, form, sum(count) AS count FROM counts
    WHERE kind = 'received' AND period BETWEEN $1 AND $2 GROUP BY period, form ORDER BY period, form`,
  choices: `SELECT substr(period, 1, 7) AS month, form, field, value AS choice, sum(count) AS count FROM counts
    WHERE kind = 'choice' AND period BETWEEN $1 AND $2
    GROUP BY substr(period, 1, 7), form, field, value ORDER BY substr(period, 1, 7), form, field, value`,
  languages: `SELECT period AS day, form, value AS language, sum(count) AS count FROM counts
    WHERE kind = 'language' AND period BETWEEN $1 AND $2
    GROUP BY period, form, value ORDER BY period, form, value`,
  hours: `SELECT period AS month, form, value AS hour, sum(count) AS count FROM counts
    WHERE kind = 'hour' AND period BETWEEN substr($1, 1, 7) AND substr($2, 1, 7)
    GROUP BY period, form, value ORDER BY period, form, value`,
  delivered: `SELECT period AS day, form, value AS within, sum(count) AS count, max(most) AS "slowestSeconds" FROM counts
    WHERE kind = 'delivered' AND period BETWEEN $1 AND $2
    GROUP BY period, form, value ORDER BY period, form, length(value), value`,
  answered: `SELECT period AS day, form, value AS within, sum(count) AS count FROM counts
    WHERE kind = 'answered' AND period BETWEEN $1 AND $2
    GROUP BY period, form, value ORDER BY period, form, length(value), value`,
};
/** PostgreSQL's driver returns sums as text, and the hour is stored as text. */
const numbers = ['count', 'hour', 'within', 'slowestSeconds'];

/** Several queries, which the caller runs in one snapshot. */
export async function readFigures(query: Query, from: string, to: string): Promise<Figures> {
  const toFigure = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]),
    );
  const read = async (name: keyof Figures) =>
    (await query(figureQueries[name], [from, to])).rows.map(toFigure) as never;
  return {
    received: await read('received'),
    choices: await read('choices'),
    languages: await read('languages'),
    hours: await read('hours'),
    delivered: await read('delivered'),
    answered: await read('answered'),
  };
}

export async function readCounts(query: Query): Promise<CountRow[]> {
  return (await query('SELECT * FROM counts')).rows.map(toCountRow);
}

export function toCountRow(row: Row): CountRow {
  const { kind, period, form, field, value, origin } = row as unknown as CountRow;
  return { kind, period, form, field, value, origin, count: Number(row.count), most: Number(row.most) };
}

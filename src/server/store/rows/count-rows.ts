import type { FormName } from '../../../model/form-field.ts';
import type { CountRow, Figures } from '../contract/counts.ts';

type Row = Record<string, unknown>;

/** The same in both databases; `from` and `to` are their placeholders. */
export const figureQueries = (from: string, to: string) => ({
  received: `SELECT period AS day, form, sum(count) AS count FROM counts
    WHERE kind = 'received' AND period BETWEEN ${from} AND ${to} GROUP BY period, form ORDER BY period, form`,
  choices: `SELECT substr(period, 1, 7) AS month, form, field, value, sum(count) AS count FROM counts
    WHERE kind = 'choice' AND period BETWEEN ${from} AND ${to}
    GROUP BY substr(period, 1, 7), form, field, value ORDER BY substr(period, 1, 7), form, field, value`,
  hours: `SELECT period AS month, form, value, sum(count) AS count FROM counts
    WHERE kind = 'hour' AND period BETWEEN substr(${from}, 1, 7) AND substr(${to}, 1, 7)
    GROUP BY period, form, value ORDER BY period, form, value`,
  delivered: `SELECT period AS day, form, value, sum(count) AS count, max(most) AS most FROM counts
    WHERE kind = 'delivered' AND period BETWEEN ${from} AND ${to}
    GROUP BY period, form, value ORDER BY period, form, length(value), value`,
});

export function toFigures(rows: Record<keyof Figures, readonly Row[]>): Figures {
  const form = (row: Row) => row.form as FormName;
  return {
    received: rows.received.map((row) => ({
      day: String(row.day),
      form: form(row),
      count: Number(row.count),
    })),
    choices: rows.choices.map((row) => ({
      month: String(row.month),
      form: form(row),
      field: String(row.field),
      choice: String(row.value),
      count: Number(row.count),
    })),
    hours: rows.hours.map((row) => ({
      month: String(row.month),
      form: form(row),
      hour: Number(row.value),
      count: Number(row.count),
    })),
    delivered: rows.delivered.map((row) => ({
      day: String(row.day),
      form: form(row),
      within: Number(row.value),
      count: Number(row.count),
      slowestSeconds: Number(row.most),
    })),
  };
}

export function toCountRow(row: Row): CountRow {
  const { kind, period, form, field, value, origin } = row as unknown as CountRow;
  return { kind, period, form, field, value, origin, count: Number(row.count), most: Number(row.most) };
}

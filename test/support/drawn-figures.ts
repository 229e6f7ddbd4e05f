import fc from 'fast-check';
import { monthsOf, quartersBetween } from '../../src/report/quarters.ts';
import type { LabelledQuestion } from '../../src/report/tables.ts';
import type { Figures } from '../../src/server/store/contract/counts.ts';

/** Figures of three quarters, drawn at random: a number for each cell of each table. */

export const quarters = quartersBetween('2025-Q4', '2026-Q2');
export const [first = '', second = '', third = ''] = quarters;
export const question: LabelledQuestion = {
  form: 'help',
  field: 'Kind',
  title: 'Kind',
  choices: ['a', 'b', 'c', 'd'],
  required: true,
  tickBox: false,
};
export const tick = {
  ...question,
  field: 'Other',
  title: 'Other',
  choices: ['true', 'false'],
  tickBox: true,
};

/** How each table divides the requests of a quarter. All tables are of the same requests. */
export const divisions = {
  months: (quarter: string) => monthsOf(quarter) as string[],
  weekdays: () => ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  hours: () => ['6', '9', '12', '15', '18', '21', '0', '3'],
  Other: () => ['true', 'false'],
};
export type Subject = keyof typeof divisions;
export const subjects = Object.keys(divisions) as Subject[];

/** The name of one number: quarter, table and row. */
export type Cell = string;
export const cellId = (quarter: string, table: string, cell: string): Cell => `${quarter}/${table}/${cell}`;
export type Counts = Map<Cell, number>;

/** Figures with these numbers. Weekdays are assigned to months in any way that adds up: no report tells which. */
export function asFigures(counts: Counts): Figures {
  const figures = { received: [], choices: [], languages: [], hours: [], delivered: [], answered: [] } as {
    -readonly [Key in keyof Figures]: Figures[Key][number][];
  };
  for (const quarter of quarters) {
    const months = monthsOf(quarter);
    const days = divisions.weekdays().map((cell) => counts.get(cellId(quarter, 'weekdays', cell)) ?? 0);
    for (const month of months) {
      let left = counts.get(cellId(quarter, 'months', month)) ?? 0;
      for (const n of days.keys()) {
        const count = Math.min(left, days[n] ?? 0);
        days[n] = (days[n] ?? 0) - count;
        left -= count;
        figures.received.push({ day: firstWeekday(month, n), form: 'help', count });
      }
    }
    const [month] = months;
    for (const cell of divisions.hours())
      figures.hours.push({
        month,
        form: 'help',
        hour: Number(cell) + 1,
        count: counts.get(cellId(quarter, 'hours', cell)) ?? 0,
      });
    for (const { field, choices } of [question, tick])
      for (const choice of choices)
        figures.choices.push({
          month,
          form: 'help',
          field,
          choice,
          count: counts.get(cellId(quarter, field, choice)) ?? 0,
        });
  }
  return figures;
}

/** @param weekday from Monday. */
function firstWeekday(month: string, weekday: number): string {
  const day = Array.from({ length: 7 }, (_, n) => `${month}-0${n + 1}`).find(
    (one) => (new Date(`${one}T00:00:00Z`).getUTCDay() + 6) % 7 === weekday,
  );
  return day ?? '';
}

export const totalOf = (counts: Counts, quarter: string) =>
  monthsOf(quarter).reduce((sum, month) => sum + (counts.get(cellId(quarter, 'months', month)) ?? 0), 0);

/** A quarter's figures: so many requests, each with a month, a day, an hour, a tick and one choice or several. */
const drawn = fc
  .array(
    fc.record({
      month: fc.nat(2),
      weekday: fc.oneof({ weight: 3, arbitrary: fc.nat(6) }, { weight: 2, arbitrary: fc.nat(2) }),
      hour: fc.oneof({ weight: 2, arbitrary: fc.nat(7) }, { weight: 3, arbitrary: fc.nat(2) }),
      ticked: fc.oneof({ weight: 4, arbitrary: fc.constant('false') }, fc.constant('true')),
      choices: fc.oneof(
        { weight: 4, arbitrary: fc.subarray(question.choices as string[], { minLength: 1, maxLength: 1 }) },
        fc.subarray(question.choices as string[], { minLength: 1 }),
      ),
    }),
    { minLength: 0, maxLength: 60, size: 'max' },
  )
  .map((requests) => (quarter: string) => {
    const counts: Counts = new Map();
    for (const subject of subjects)
      for (const cell of divisions[subject](quarter)) counts.set(cellId(quarter, subject, cell), 0);
    for (const choice of question.choices) counts.set(cellId(quarter, 'Kind', choice), 0);
    const add = (table: string, cell = '') =>
      counts.set(cellId(quarter, table, cell), (counts.get(cellId(quarter, table, cell)) ?? 0) + 1);
    for (const { month, weekday, hour, ticked, choices } of requests) {
      add('months', monthsOf(quarter)[month]);
      add('weekdays', divisions.weekdays()[weekday]);
      add('hours', divisions.hours()[hour]);
      add('Other', ticked);
      for (const choice of choices) add('Kind', choice);
    }
    return counts;
  });

export const year = fc
  .tuple(drawn, drawn, drawn)
  .map((makers) => new Map(makers.flatMap((make, n) => [...make(quarters[n] ?? '')])) as Counts);

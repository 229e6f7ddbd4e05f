import { smallestShown } from '../../src/report/intervals.ts';
import { type Report, reportOn } from '../../src/report/make-report.ts';
import { monthsOf } from '../../src/report/quarters.ts';
import type { Figures } from '../../src/server/store/contract/counts.ts';
import {
  asFigures,
  type Counts,
  cellId,
  divisions,
  question,
  type Subject,
  second,
  subjects,
  third,
  tick,
} from './drawn-figures.ts';
import { highest, type Rule } from './range-solver.ts';

/** Several overlapping reports of the same figures, and the rules that an attacker reads off them. */

export const published = [[second], [third], [second, third]];

/** Everything that the reports say, and everything that is true of all figures. */
export function rulesOf(reports: readonly Published[]): Rule[] {
  const said = reports.flatMap(({ quarters, rows }) =>
    rows.map(({ table, cells, least, most }) => ({
      cells: quarters.flatMap((quarter) =>
        cells
          .filter((cell) => table !== 'months' || monthsOf(quarter).includes(cell))
          .map((cell) => cellId(quarter, table, cell)),
      ),
      least,
      most,
    })),
  );
  return [...said, ...[second, third].flatMap(structureOf)];
}

/** The total is the sum of each division. The choices together are at least the total: each request has one or more. */
const structureOf = (quarter: string): Rule[] => [
  ...subjects.map((subject) => ({
    cells: divisions[subject](quarter).map((cell) => cellId(quarter, subject, cell)),
    less: totalId(quarter),
    least: 0,
    most: 0,
  })),
  {
    cells: question.choices.map((choice) => cellId(quarter, 'Kind', choice)),
    less: totalId(quarter),
    least: 0,
    most: highest,
  },
];
export const totalId = (quarter: string) => cellId(quarter, 'total', '');

interface PublishedRow {
  table: string;
  cells: readonly string[];
  least: number;
  most: number;
}

const rowsOf = ({ tables }: Report): PublishedRow[] =>
  tables
    .filter(({ form, subject }) => form === 'help' && subject !== 'delivered')
    .flatMap(({ subject, field, rows }) =>
      rows.map(({ cells, known }) => ({
        table: field ?? subject,
        cells: subject === 'total' ? [''] : cells,
        ...known,
      })),
    );

export interface Published {
  quarters: string[];
  rows: PublishedRow[];
  whole: string;
}
export type Publish = (figures: Figures, quarters: string[]) => Omit<Published, 'quarters'>;
export const publishAll = (counts: Counts, publish: Publish): Published[] => {
  const figures = asFigures(counts);
  return published.map((quarters) => ({ quarters, ...publish(figures, quarters) }));
};

export const ours: Publish = (figures, quarters) => {
  const report = reportOn(figures, quarters, [question, tick], []);
  const rows = rowsOf(report);
  const read = quarters.length === 1 ? subjects.flatMap((subject) => readSums(rows, subject)) : [];
  return { rows: [...rows, ...read], whole: JSON.stringify(report) };
};

/** An attacker who knows the program reads the sum of a range and the small number beside it off its upper end. */
function readSums(rows: readonly PublishedRow[], subject: Subject): PublishedRow[] {
  const unsure = rows.filter(({ table, least, most }) => table === subject && least < most);
  return unsure.flatMap((row, n) => {
    const beside = unsure[n + 1];
    if (n % 2 === 1 || !beside) return [];
    const sum = Math.max(row.most, beside.most);
    return [{ table: subject, cells: [...row.cells, ...beside.cells], least: sum, most: sum }];
  });
}

/** The usual way: hides small numbers and shows the rest. */
export const naive: Publish = (figures, quarters) => {
  const cells = new Map<string, number>();
  const add = (table: string, cell: string, count: number) =>
    cells.set(`${table}/${cell}`, (cells.get(`${table}/${cell}`) ?? 0) + count);
  const within = (month: string) => quarters.some((one) => monthsOf(one).some((m) => month.startsWith(m)));
  for (const { day, count } of figures.received.filter((one) => within(one.day))) {
    add('months', day.slice(0, 7), count);
    add('weekdays', divisions.weekdays()[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7] ?? '', count);
  }
  for (const { hour, count } of figures.hours.filter((one) => within(one.month)))
    add('hours', String(hour - (hour % 3)), count);
  for (const { field, choice, count } of figures.choices.filter((one) => within(one.month)))
    add(field, choice, count);
  const rows = [...cells].map(([name, count]) => {
    const [table = '', cell = ''] = name.split('/');
    const known =
      count < smallestShown ? { least: 0, most: smallestShown - 1 } : { least: count, most: count };
    return { table, cells: [cell], ...known };
  });
  return { rows, whole: JSON.stringify(rows) };
};

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Figures } from '../server/store/contract/counts.ts';
import { fewest } from './known.ts';
import { type Report, reportOn } from './make-report.ts';
import { monthsOf, quartersBefore, quartersBetween } from './quarters.ts';
import type { LabelledQuestion } from './tables.ts';

/**
 * The attacker has several overlapping reports, knows this program, and has a solver. For every small number, and for each of 0 to
 * 4, it looks for figures that have that number there and give the very same reports. Where it finds them for all five, the reports
 * tell nothing of it beyond 'fewer than 5'.
 */

const all = quartersBetween('2025-Q4', '2026-Q2');
const [first = '', second = '', third = ''] = all;
const published = [[second], [third], [second, third]];
const question: LabelledQuestion = {
  form: 'help',
  field: 'Kind',
  title: 'Kind',
  choices: ['a', 'b', 'c', 'd'],
  required: true,
  tickBox: false,
};
const tick = { ...question, field: 'Other', title: 'Other', choices: ['true', 'false'], tickBox: true };

/** What the tables divide a quarter's requests into. Every one of them is of the same requests. */
const divisions = {
  months: (quarter: string) => monthsOf(quarter) as string[],
  weekdays: () => ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  hours: () => ['6', '9', '12', '15', '18', '21', '0', '3'],
  Other: () => ['true', 'false'],
};
type Subject = keyof typeof divisions;
const subjects = Object.keys(divisions) as Subject[];

/** A number that the attacker is after: of a quarter, a table and a cell. */
type Cell = string;
const cellId = (quarter: string, table: string, cell: string): Cell => `${quarter}/${table}/${cell}`;
type Counts = Map<Cell, number>;

/** Figures with these numbers; which weekday fell into which month is any that adds up, as it is for the attacker. */
function asFigures(counts: Counts): Figures {
  const figures = { received: [], choices: [], hours: [], delivered: [] } as {
    -readonly [Key in keyof Figures]: Figures[Key][number][];
  };
  for (const quarter of all) {
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

/** So many of the cells together, less one that they may add up to, are no less and no more than this. */
interface Rule {
  cells: Cell[];
  less?: Cell;
  least: number;
  most: number;
}

interface Range {
  least: number;
  most: number;
}
type Ranges = Map<Cell, Range>;

const highest = 400;
const anything: Range = { least: 0, most: highest };
const turned = ({ least, most }: Range): Range => ({ least: -most, most: -least });

/** Narrows every cell by every rule until nothing changes; false where a cell has nothing left. */
function narrow(rules: readonly Rule[], ranges: Ranges): boolean {
  for (let changed = true; changed; ) {
    changed = false;
    for (const { cells, less, least: atLeast, most: atMost } of rules) {
      const own = cells.map((cell) => ranges.get(cell) ?? anything);
      if (less !== undefined) own.push(turned(ranges.get(less) ?? anything));
      const sum = { least: 0, most: 0 };
      for (const { least, most } of own) {
        sum.least += least;
        sum.most += most;
      }
      for (const [n, range] of own.entries()) {
        const least = Math.max(range.least, atLeast - (sum.most - range.most));
        const most = Math.min(range.most, atMost - (sum.least - range.least));
        if (least > most) return false;
        if (least === range.least && most === range.most) continue;
        const cell = cells[n];
        if (cell !== undefined) ranges.set(cell, { least, most });
        else if (less !== undefined) ranges.set(less, turned({ least, most }));
        sum.least += least - range.least;
        sum.most += most - range.most;
        changed = true;
      }
    }
  }
  return true;
}

/** Numbers that keep every rule, or null where none were found. */
function solve(rules: readonly Rule[], ranges: Ranges, steps = { left: 500 }): Ranges | null {
  if (!narrow(rules, ranges) || steps.left-- <= 0) return null;
  const open = [...ranges].find(([, { least, most }]) => least < most);
  if (!open) return ranges;
  const [cell, { least, most }] = open;
  const middle = Math.floor((least + most) / 2);
  for (const half of [
    { least, most: middle },
    { least: middle + 1, most },
  ]) {
    const found = solve(rules, new Map(ranges).set(cell, half), steps);
    if (found) return found;
  }
  return null;
}

/** Everything that reports say, and what is true of all figures. */
function rulesOf(reports: readonly Published[]): Rule[] {
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

/** The total is the sum of each division; together, choices are no fewer. */
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
const totalId = (quarter: string) => cellId(quarter, 'total', '');

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

interface Published {
  quarters: string[];
  rows: PublishedRow[];
  whole: string;
}
type Publish = (figures: Figures, quarters: string[]) => Omit<Published, 'quarters'>;
const publishAll = (counts: Counts, publish: Publish): Published[] => {
  const figures = asFigures(counts);
  return published.map((quarters) => ({ quarters, ...publish(figures, quarters) }));
};

const ours: Publish = (figures, quarters) => {
  const report = reportOn(figures, quarters, [question, tick]);
  const rows = rowsOf(report);
  const read = quarters.length === 1 ? subjects.flatMap((subject) => readSums(rows, subject)) : [];
  return { rows: [...rows, ...read], whole: JSON.stringify(report) };
};

/** Who knows the program reads off a range what it and the small number beside it are together: its upper end. */
function readSums(rows: readonly PublishedRow[], subject: Subject): PublishedRow[] {
  const unsure = rows.filter(({ table, least, most }) => table === subject && least < most);
  return unsure.flatMap((row, n) => {
    const beside = unsure[n + 1];
    if (n % 2 === 1 || !beside) return [];
    const sum = Math.max(row.most, beside.most);
    return [{ table: subject, cells: [...row.cells, ...beside.cells], least: sum, most: sum }];
  });
}

/** What many would do: hide what is small, and leave the rest. */
const naive: Publish = (figures, quarters) => {
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
    const known = count < fewest ? { least: 0, most: fewest - 1 } : { least: count, most: count };
    return { table, cells: [cell], ...known };
  });
  return { rows, whole: JSON.stringify(rows) };
};

const smallCells = (counts: Counts) =>
  [...counts].flatMap(([cell, count]) => (count < fewest && !cell.startsWith(first) ? [cell] : []));

/** The small numbers of which the rules alone say more than that they are small. */
function workOut(counts: Counts, publish: Publish): { cell: Cell; range: Range }[] {
  const ranges: Ranges = new Map([...counts.keys()].map((cell) => [cell, anything]));
  narrow(rulesOf(publishAll(counts, publish)), ranges);
  return smallCells(counts).flatMap((cell) => {
    const range = ranges.get(cell) ?? anything;
    return range.least > 0 || range.most < fewest - 1 ? [{ cell, range }] : [];
  });
}

/** The small numbers that cannot be each of 0 to 4 without the reports being others, in the least letter. */
function ruleOut(counts: Counts, quarter: string): { cell: Cell; value: number }[] {
  const seen = publishAll(counts, ours);
  const rules = rulesOf(seen);
  return smallCells(counts)
    .filter((cell) => cell.startsWith(quarter))
    .flatMap((cell) =>
      Array.from({ length: fewest }, (_, value) => ({ cell, value })).filter(
        ({ value }) => !hasOther(cell, value, counts, rules, seen),
      ),
    );
}

function hasOther(
  cell: Cell,
  value: number,
  counts: Counts,
  rules: readonly Rule[],
  seen: readonly Published[],
) {
  for (const other of othersWith(cell, value, counts, rules)) if (givesTheSame(other, seen)) return true;
  return false;
}

const givesTheSame = (counts: Counts, seen: readonly Published[]) => {
  const figures = asFigures(counts);
  return seen.every(({ quarters, whole }) => ours(figures, quarters).whole === whole);
};

/** Other figures with this number there, the rest of the year as it is: the solver's, and for choices what it may not think of. */
function* othersWith(cell: Cell, value: number, counts: Counts, rules: readonly Rule[]): Generator<Counts> {
  const [quarter = '', table = ''] = cell.split('/');
  const total = totalOf(counts, quarter);
  // Where the total is told, only this table may be another; where it is small itself, all of the quarter may.
  const isFree = (id: Cell) => id.startsWith(total < fewest ? quarter : `${quarter}/${table}/`);
  const ranges: Ranges = new Map(
    [...counts].map(([id, count]) => [id, isFree(id) ? anything : { least: count, most: count }]),
  );
  const fixed = total < fewest ? { least: value, most: fewest - 1 } : { least: total, most: total };
  for (const one of [second, third])
    ranges.set(totalId(one), one === quarter ? fixed : sameTotal(counts, one));
  ranges.set(cell, { least: value, most: value });
  const found = solve(rules, ranges);
  if (found) yield new Map([...counts.keys()].map((id) => [id, found.get(id)?.least ?? 0]));
  if (table !== 'Kind') return;
  const others = question.choices
    .map((choice) => cellId(quarter, 'Kind', choice))
    .filter((id) => id !== cell);
  for (const [n, big] of others.entries())
    for (const small of [4, 3, 2, 1, 0]) {
      const rest = others.filter((_, m) => m !== n);
      const changed = new Map(counts).set(cell, value);
      for (const id of rest) changed.set(id, small);
      yield changed.set(big, Math.max(0, total - small * rest.length));
    }
}

const sameTotal = (counts: Counts, quarter: string): Range => {
  const total = totalOf(counts, quarter);
  return { least: total, most: total };
};

const totalOf = (counts: Counts, quarter: string) =>
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

const year = fc
  .tuple(drawn, drawn, drawn)
  .map((quarters) => new Map(quarters.flatMap((make, n) => [...make(all[n] ?? '')])) as Counts);

const numRuns = Number(process.env.ATTACKS ?? 12);

describe('small numbers', () => {
  test('cannot be worked out from several overlapping reports, nor narrowed', () => {
    fc.assert(
      fc.property(year, (counts) => {
        expect(workOut(counts, ours)).toEqual([]);
      }),
      { numRuns, endOnFailure: true },
    );
  });

  test('can each be anything from 0 to 4, and the reports would be the same', () => {
    fc.assert(
      fc.property(year, fc.constantFrom(second, third), (counts, quarter) => {
        expect(ruleOut(counts, quarter)).toEqual([]);
      }),
      { numRuns, endOnFailure: true },
    );
  });

  test('the same attacker works them out where small numbers are hidden and nothing else', () => {
    const caught = fc.sample(year, { numRuns: 10, seed: 1 }).map((counts) => workOut(counts, naive));
    expect(caught.flat().some(({ range }) => range.least === range.most)).toBe(true);
    expect(caught.filter((found) => found.length > 0).length).toBeGreaterThanOrEqual(5);
  });

  test('figures that are shown as such are those that were counted', () => {
    fc.assert(
      fc.property(year, (counts) => {
        for (const quarters of published)
          for (const { table, cells, least, most } of ours(asFigures(counts), quarters).rows) {
            const count = quarters
              .flatMap((quarter) =>
                table === 'total'
                  ? totalOf(counts, quarter)
                  : cells.map((cell) => counts.get(cellId(quarter, table, cell)) ?? 0),
              )
              .reduce((sum, one) => sum + one, 0);
            expect(count).toBeGreaterThanOrEqual(least);
            expect(count).toBeLessThanOrEqual(most);
          }
      }),
      { numRuns, endOnFailure: true },
    );
  });
});

test('the period before is as long, and right before', () => {
  expect(quartersBefore([second, third])).toEqual(['2025-Q3', '2025-Q4']);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  asFigures,
  type Cell,
  type Counts,
  cellId,
  first,
  question,
  second,
  third,
  totalOf,
  year,
} from '../../test/support/drawn-figures.ts';
import {
  naive,
  ours,
  type Publish,
  type Published,
  publishAll,
  published,
  rulesOf,
  totalId,
} from '../../test/support/published-reports.ts';
import {
  anything,
  narrow,
  type Range,
  type Ranges,
  type Rule,
  solve,
} from '../../test/support/range-solver.ts';
import { smallestShown } from './intervals.ts';

/**
 * The attacker has several overlapping reports, knows this program, and has a solver. For every small number, and for each
 * value from 0 to 4, the attacker searches for figures that have that value there and give the very same reports. Where there are
 * such figures for all five values, the reports tell nothing of the number beyond 'fewer than 5'.
 */

const smallCells = (counts: Counts) =>
  [...counts].flatMap(([cell, count]) => (count < smallestShown && !cell.startsWith(first) ? [cell] : []));

/** The small numbers of which the rules alone tell more than 'fewer than 5'. */
function workOut(counts: Counts, publish: Publish): { cell: Cell; range: Range }[] {
  const ranges: Ranges = new Map([...counts.keys()].map((cell) => [cell, anything]));
  narrow(rulesOf(publishAll(counts, publish)), ranges);
  return smallCells(counts).flatMap((cell) => {
    const range = ranges.get(cell) ?? anything;
    return range.least > 0 || range.most < smallestShown - 1 ? [{ cell, range }] : [];
  });
}

/** The values from 0 to 4 that a small number cannot have without a change in the reports, to the letter. */
function ruleOut(counts: Counts, quarter: string): { cell: Cell; value: number }[] {
  const seen = publishAll(counts, ours);
  const rules = rulesOf(seen);
  return smallCells(counts)
    .filter((cell) => cell.startsWith(quarter))
    .flatMap((cell) =>
      Array.from({ length: smallestShown }, (_, value) => ({ cell, value })).filter(
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

/** Other figures with this value there and the other quarters unchanged: the solver's, and for choices some that it may not find. */
function* othersWith(cell: Cell, value: number, counts: Counts, rules: readonly Rule[]): Generator<Counts> {
  const [quarter = '', table = ''] = cell.split('/');
  const total = totalOf(counts, quarter);
  // Where the total is shown, only this table may differ; where the total is small itself, the whole quarter may.
  const isFree = (id: Cell) => id.startsWith(total < smallestShown ? quarter : `${quarter}/${table}/`);
  const ranges: Ranges = new Map(
    [...counts].map(([id, count]) => [id, isFree(id) ? anything : { least: count, most: count }]),
  );
  const fixed =
    total < smallestShown ? { least: value, most: smallestShown - 1 } : { least: total, most: total };
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

  test('figures that are shown exactly are the counted ones', () => {
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

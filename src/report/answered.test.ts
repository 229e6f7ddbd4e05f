import { expect, test } from 'vitest';
import { answerBounds } from '../server/store/contract/counts.ts';
import { describeAnswered, formatBound, makeAnsweredSafe, type SafeAnswered } from './answered.ts';
import { exactly, smallestShown, suppressed } from './intervals.ts';

const hour = 3600;
const day = 24 * hour;
const many = exactly(1_000);
const say = (counts: readonly (readonly [number, number])[], received = many) =>
  describeAnswered(makeAnsweredSafe(new Map(counts), received));

test('half and nine in ten are said by the bounds within which they were answered', () => {
  const counts = [
    [2 * hour, 6],
    [day, 20],
    [2 * day, 12],
    [5 * day, 6],
    [Number.MAX_SAFE_INTEGER, 2],
  ] as const;
  expect(say(counts)).toBe('half within a day, nine in ten within a week');
  // Of so few, one person would be left out.
  expect(say([[day, 20]], exactly(20))).toBe('half within a day');
  expect(say([[day, 50]])).toBe('nine in ten within a day');
});

test('nothing is said of few, of those who waited longest, or where few were received', () => {
  expect(say([])).toBeNull();
  expect(say([[day, 9]])).toBeNull();
  expect(say([[Number.MAX_SAFE_INTEGER, 90]])).toBeNull();
  expect(say([[day, 50]], suppressed)).toBeNull();
  expect(say([[day, 50]], exactly(9))).toBeNull();
  expect(say([[day, 50]], exactly(39))).toBe('half within a day');
});

test('every bound that can be said is one that is counted', () => {
  const named = answerBounds.filter((bound) => formatBound(bound) !== '');
  expect(named).toHaveLength(8);
});

/** Small numbers, and some around what decides. */
const tried = [0, 1, 2, 3, 4, 5, 6, 9, 20, 31, 36, 40];

/** Every such division among four bounds. A number that is small must be possible with every value from 0 to 4. */
function narrowed(publish: (counts: Map<number, number>) => SafeAnswered): string[] {
  const cells = [hour, day, 3 * day, Number.MAX_SAFE_INTEGER];
  const found = new Map<string, Set<string>>();
  const divisions = tried.flatMap((a) =>
    tried.flatMap((b) => tried.flatMap((c) => tried.map((d) => [a, b, c, d]))),
  );
  for (const values of divisions) {
    const { half, nineInTen } = publish(new Map(cells.map((cell, n) => [cell, values[n] ?? 0])));
    const said = `${half} ${nineInTen}`;
    const seen = found.get(said) ?? new Set();
    found.set(said, seen);
    for (const [n, value] of values.entries()) if (value < smallestShown) seen.add(`${n}: ${value}`);
  }
  return [...found].flatMap(([said, seen]) =>
    cells.flatMap((_, n) => {
      const count = [0, 1, 2, 3, 4].filter((value) => seen.has(`${n}: ${value}`)).length;
      return count === 0 || count === smallestShown ? [] : `${said}: ${n}`;
    }),
  );
}

test('no small number can be worked out, nor narrowed, from what is said', () => {
  expect(narrowed((counts) => makeAnsweredSafe(counts, exactly(40)))).toEqual([]);
  // Quantiles as they are tell that somebody was answered between two bounds.
  const naive = (counts: Map<number, number>): SafeAnswered => {
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const find = (share: number) => {
      let sum = 0;
      for (const [bound, count] of counts) {
        sum += count;
        if (sum >= share * total) return bound;
      }
      return null;
    };
    return total < 10 ? { half: null, nineInTen: null } : { half: find(0.5), nineInTen: find(0.9) };
  };
  expect(narrowed(naive)).not.toEqual([]);
});

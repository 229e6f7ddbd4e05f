import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countRepeated } from './repeated-lines.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a repeated line is written once; repetitions are counted and reported a minute later', () => {
  const told = vi.fn();
  const { isNew } = countRepeated<string>(told);
  expect(isNew('a', 'same')).toBe(true);
  for (let n = 0; n < 1_000; n++) expect(isNew('a', 'same')).toBe(false);
  expect(isNew('b', 'other')).toBe(true);
  expect(told).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(told.mock.calls).toEqual([['a', 1_000]]);
  expect(isNew('a', 'same')).toBe(true);
});

test('a bounded number of different lines is remembered; all others count as one', () => {
  const told = vi.fn();
  const { isNew, flush } = countRepeated<number>(told);
  const written = Array.from({ length: 100_000 }, (_, n) => isNew(n, String(n))).filter(Boolean);
  expect(written).toHaveLength(500);
  flush();
  expect(told.mock.calls).toEqual([[null, 99_500]]);
});

test('a log that cannot be written ends nothing', () => {
  const { isNew } = countRepeated<string>(() => {
    throw new Error('no more open files');
  });
  isNew('a', 'same');
  isNew('a', 'same');
  expect(() => vi.advanceTimersByTime(60_000)).not.toThrow();
  expect(isNew('a', 'same')).toBe(true);
});

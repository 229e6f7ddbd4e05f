import type { Interval } from './intervals.ts';
import { smallestShown } from './intervals.ts';

/** How soon people were answered in a quarter, in seconds; null where that cannot be said safely. */
export interface SafeAnswered {
  half: number | null;
  nineInTen: number | null;
}

const hour = 3600;
const day = 24 * hour;

/** Fewer than are counted: between bounds that are close together there would be too few people. */
const bounds: readonly [seconds: number, words: string][] = [
  [hour, 'an hour'],
  [4 * hour, 'four hours'],
  [day, 'a day'],
  [2 * day, 'two days'],
  [3 * day, 'three days'],
  [7 * day, 'a week'],
  [14 * day, 'two weeks'],
  [28 * day, 'four weeks'],
];

export const formatBound = (seconds: number): string =>
  bounds.find(([bound]) => bound === seconds)?.[1] ?? '';

/** So many that four more or fewer change neither sentence: 'nine in ten' of 40 leaves out four at most. */
const fewestForHalf = 2 * smallestShown;
const fewestForMost = 40;

/**
 * Half of the people were answered within a bound, and nine in ten within another. A bound is named only where five or more
 * were answered between the bound before and itself, and only where as many were answered, and received, that each smaller
 * number could be anything from 0 to 4: docs/decisions/0130 has the proof, and answered.test.ts counts it out.
 *
 * @param counts how many were answered within so many seconds, and not sooner, as the figures have them
 */
export function makeAnsweredSafe(counts: ReadonlyMap<number, number>, received: Interval): SafeAnswered {
  const within = (seconds: number) =>
    [...counts].reduce((sum, [bound, count]) => (bound <= seconds ? sum + count : sum), 0);
  const total = within(Number.POSITIVE_INFINITY);
  const fewest = Math.min(total, received.least);
  const findBound = (share: number): number | null => {
    const found = bounds.find(([bound], n) => {
      const sum = within(bound);
      return sum >= share * total && sum - within(bounds[n - 1]?.[0] ?? 0) >= smallestShown;
    });
    return found?.[0] ?? null;
  };
  return {
    half: fewest >= fewestForHalf ? findBound(0.5) : null,
    nineInTen: fewest >= fewestForMost ? findBound(0.9) : null,
  };
}

/** 'half within a day, nine in ten within three days'; null where nothing can be said. */
export function describeAnswered({ half, nineInTen }: SafeAnswered): string | null {
  if (half === null) return null;
  if (half === nineInTen) return `nine in ten within ${formatBound(half)}`;
  const most = nineInTen === null ? '' : `, nine in ten within ${formatBound(nineInTen)}`;
  return `half within ${formatBound(half)}${most}`;
}

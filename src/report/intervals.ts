/** What is published of a number: its bounds. Where both are the same, they are the number. */
export interface Interval {
  least: number;
  most: number;
}

/** In a small town a smaller number could point to a person. */
export const smallestShown = 5;

export const exactly = (count: number): Interval => ({ least: count, most: count });

/** Published for every smaller number, and for zero as well: that nobody asked for something can tell of a person, too. */
export const suppressed: Interval = { least: 0, most: smallestShown - 1 };

export const isExact = ({ least, most }: Interval): boolean => least === most;

export const addIntervals = (numbers: readonly Interval[]): Interval => ({
  least: numbers.reduce((sum, { least }) => sum + least, 0),
  most: numbers.reduce((sum, { most }) => sum + most, 0),
});

const spoken = new Intl.NumberFormat('en-NZ');

/** '12', 'fewer than 5', '10 to 14': for people. */
export function formatInterval({ least, most }: Interval): string {
  if (least === most) return spoken.format(least);
  if (least === 0) return `fewer than ${spoken.format(most + 1)}`;
  return `${spoken.format(least)} to ${spoken.format(most)}`;
}

/** The difference of two exact numbers. A difference of ranges could tell what is hidden. */
export function changeBetween(now: Interval, before: Interval): number | null {
  return isExact(now) && isExact(before) ? now.least - before.least : null;
}

/** What may be said of a number: it is no less and no more than this. Where both are the same, it is the number. */
export interface Known {
  least: number;
  most: number;
}

/** A smaller number may tell of somebody whom people in a small town know. */
export const fewest = 5;

export const exactly = (count: number): Known => ({ least: count, most: count });

/** What is said of every number below, of none as well: that nobody asked for something tells of somebody, too. */
export const few: Known = { least: 0, most: fewest - 1 };

export const isExact = ({ least, most }: Known): boolean => least === most;

export const addKnown = (numbers: readonly Known[]): Known => ({
  least: numbers.reduce((sum, { least }) => sum + least, 0),
  most: numbers.reduce((sum, { most }) => sum + most, 0),
});

const spoken = new Intl.NumberFormat('en-NZ');

/** '12', 'fewer than 5', '10 to 14': for people. */
export function sayKnown({ least, most }: Known): string {
  if (least === most) return spoken.format(least);
  if (least === 0) return `fewer than ${spoken.format(most + 1)}`;
  return `${spoken.format(least)} to ${spoken.format(most)}`;
}

/** The difference, where both are known. Of anything else it could tell what is hidden. */
export function changeBetween(now: Known, before: Known): number | null {
  return isExact(now) && isExact(before) ? now.least - before.least : null;
}

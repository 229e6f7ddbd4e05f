/** Works out what numbers can be from what is known of their sums. */

/** The sum of the cells, minus the cell `less` where there is one, is within these bounds. */
export interface Rule {
  cells: string[];
  less?: string;
  least: number;
  most: number;
}

export interface Range {
  least: number;
  most: number;
}
export type Ranges = Map<string, Range>;

export const highest = 400;
export const anything: Range = { least: 0, most: highest };
const negated = ({ least, most }: Range): Range => ({ least: -most, most: -least });

/** Narrows every cell by every rule until nothing changes. False where no number is left for a cell. */
export function narrow(rules: readonly Rule[], ranges: Ranges): boolean {
  for (let changed = true; changed; ) {
    changed = false;
    for (const { cells, less, least: atLeast, most: atMost } of rules) {
      const own = cells.map((cell) => ranges.get(cell) ?? anything);
      if (less !== undefined) own.push(negated(ranges.get(less) ?? anything));
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
        else if (less !== undefined) ranges.set(less, negated({ least, most }));
        sum.least += least - range.least;
        sum.most += most - range.most;
        changed = true;
      }
    }
  }
  return true;
}

/** One number for each cell, by all rules; null where none was found within the steps. */
export function solve(rules: readonly Rule[], ranges: Ranges, steps = { left: 500 }): Ranges | null {
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

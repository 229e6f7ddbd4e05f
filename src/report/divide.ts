import { addIntervals, exactly, type Interval, smallestShown, suppressed } from './intervals.ts';

/**
 * A number is divided in two, each half in two again, and so on: Saturday and Sunday make the weekend. The division does not
 * depend on the counts: where it stops, a reader learns only that a number below is too small to be shown.
 */
export type Division = string | readonly [Division, Division];

/** One number of a division, with its two halves where these can be shown safely. */
export interface SafePart {
  /** The cells that this number counts: one, or several together. */
  cells: readonly string[];
  known: Interval;
  parts?: readonly [SafePart, SafePart];
}

const cellsOf = (division: Division): string[] =>
  typeof division === 'string' ? [division] : division.flatMap(cellsOf);

/**
 * Two numbers whose sum is known are shown apart only where both are 5 or more. Where one is smaller, and the sum is so large that
 * the other must be 5 or more, the small one is 'fewer than 5' and the other a range as wide; otherwise they stay together. So
 * each hidden number can be anything from 0 to 4: docs/decisions/0081 has the proof, and attack.test.ts tries.
 */
export function divide(division: Division, counts: ReadonlyMap<string, number>): SafePart {
  const cells = cellsOf(division);
  const total = sumOf(cells, counts);
  if (total < smallestShown) return { cells, known: suppressed };
  const whole = { cells, known: exactly(total) };
  if (typeof division === 'string') return whole;
  const [one, other] = division;
  const sums = [sumOf(cellsOf(one), counts), sumOf(cellsOf(other), counts)] as const;
  if (sums.every((sum) => sum >= smallestShown))
    return { ...whole, parts: [divide(one, counts), divide(other, counts)] };
  if (total < 2 * smallestShown - 1) return whole;
  const rest = { least: total - suppressed.most, most: total };
  const [known, otherKnown] = sums[0] < smallestShown ? [suppressed, rest] : [rest, suppressed];
  return {
    ...whole,
    parts: [
      { cells: cellsOf(one), known },
      { cells: cellsOf(other), known: otherKnown },
    ],
  };
}

const sumOf = (cells: readonly string[], counts: ReadonlyMap<string, number>) =>
  cells.reduce((sum, cell) => sum + (counts.get(cell) ?? 0), 0);

/** Adds several quarters up, divided as far as each of them is. */
export function addParts(pieces: readonly SafePart[]): SafePart {
  const [first] = pieces;
  if (!first) throw new Error('There is nothing to add.');
  const whole = { cells: first.cells, known: addIntervals(pieces.map(({ known }) => known)) };
  const inTwo = pieces.flatMap(({ parts }) => (parts ? [parts] : []));
  if (inTwo.length < pieces.length) return whole;
  return {
    ...whole,
    parts: [addParts(inTwo.map(([one]) => one)), addParts(inTwo.map(([, other]) => other))],
  };
}

/** The numbers that are not divided further, in order: the rows of a table. */
export const undividedParts = (part: SafePart): SafePart[] =>
  part.parts ? part.parts.flatMap(undividedParts) : [part];

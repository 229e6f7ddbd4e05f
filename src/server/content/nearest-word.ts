/** The known word that somebody most likely meant; undefined where none is near enough. */
export function nearestWord(written: string, known: readonly string[]): string | undefined {
  const near = known
    .map((word) => ({ word, steps: countSteps(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, steps }) => steps <= Math.max(1, Math.floor(word.length / 3)))
    .toSorted((a, b) => a.steps - b.steps);
  return near[0]?.word;
}

/** The Damerau-Levenshtein distance: letters to add, remove, change or swap with their neighbour. */
function countSteps(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, j) => j)];
  const cell = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      rows[i]?.push(
        Math.min(
          cell(i - 1, j) + 1,
          cell(i, j - 1) + 1,
          cell(i - 1, j - 1) + (same ? 0 : 1),
          swapped ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return cell(from.length, to.length);
}

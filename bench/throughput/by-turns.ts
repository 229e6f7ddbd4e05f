/**
 * Measures each side once a round, another one first every time, so that what else the machine does falls on all of
 * them. The first round warms up and does not count.
 */
export async function takeTurns<Side extends string, Sample>(
  sides: readonly Side[],
  rounds: number,
  measure: (side: Side) => Promise<Sample>,
): Promise<Record<Side, Sample[]>> {
  const samples = Object.fromEntries(sides.map((side) => [side, []])) as unknown as Record<Side, Sample[]>;
  for (let round = 0; round <= rounds; round++) {
    const first = round % sides.length;
    for (const side of [...sides.slice(first), ...sides.slice(0, first)]) {
      const sample = await measure(side);
      if (round > 0) samples[side].push(sample);
    }
  }
  return samples;
}

/** Round by round, because two that ran one after the other had the same machine. */
export const ratios = (ones: readonly number[], others: readonly number[]): number[] =>
  ones.map((one, round) => one / (others[round] ?? Number.NaN));

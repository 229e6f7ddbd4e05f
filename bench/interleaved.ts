/**
 * Measures each side once a round and rotates which side goes first, so that other work on the machine falls on all of
 * them. The first round warms up and is dropped.
 */
export async function measureInterleaved<Side extends string, Sample>(
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

/** Round by round: two samples of the same round were taken under the same load of the machine. */
export const ratios = (ones: readonly number[], others: readonly number[]): number[] =>
  ones.map((one, round) => one / (others[round] ?? Number.NaN));

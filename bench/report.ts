/** One figure, and the bound it must keep where it has one. */
export interface Finding {
  name: string;
  value: number;
  atLeast?: number;
  atMost?: number;
  /** Between which the middle half of the rounds was. */
  spread?: Spread;
  /** What else there is to know about it. */
  beside?: string;
}

export interface Spread {
  low: number;
  high: number;
}

export const isKept = ({
  value,
  atLeast = Number.NEGATIVE_INFINITY,
  atMost = Number.POSITIVE_INFINITY,
}: Finding) => value >= atLeast && value <= atMost;

export function printFindings(title: string, findings: readonly Finding[]): void {
  console.log(`\n${title}`);
  for (const finding of findings) console.log(`  ${describeFinding(finding)}`);
}

export function describeFinding(finding: Finding): string {
  const { name, value, atLeast, atMost, spread, beside = '' } = finding;
  const bound =
    atLeast !== undefined ? `at least ${atLeast}` : atMost !== undefined ? `at most ${atMost}` : '';
  const mark = bound === '' ? ' ' : isKept(finding) ? '✓' : '✗';
  const figure = showNumber(value).padStart(10);
  const range = spread ? ` ${showSpread(spread).padEnd(13)}` : '';
  return `${mark} ${name.padEnd(48)} ${figure}${range}  ${bound}${beside && `  ${beside}`}`;
}

export const showNumber = (value: number) =>
  Number.isInteger(value) ? value.toLocaleString('en-NZ') : value.toFixed(2);

/** A ratio of exactly 1 is 1.00 beside one that is not. */
export function showSpread({ low, high }: Spread): string {
  const areWhole = Number.isInteger(low) && Number.isInteger(high);
  const [from, to] = [low, high].map((end) => (areWhole ? showNumber(end) : end.toFixed(2)));
  return `(${from}–${to})`;
}

export const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** The quartiles, as numbers that were measured: one bad round in seven is not in it, a bad run is. */
export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  return { low: sorted[quarter] ?? Number.NaN, high: sorted.at(-1 - quarter) ?? Number.NaN };
}

/** One figure, and its bound where it has one. */
export interface Finding {
  name: string;
  value: number;
  atLeast?: number;
  atMost?: number;
  /** The quartiles of the rounds. */
  spread?: Spread;
  note?: string;
}

export interface Spread {
  low: number;
  high: number;
}

export const isWithinBounds = ({
  value,
  atLeast = Number.NEGATIVE_INFINITY,
  atMost = Number.POSITIVE_INFINITY,
}: Finding) => value >= atLeast && value <= atMost;

export function printFindings(title: string, findings: readonly Finding[]): void {
  console.log(`\n${title}`);
  for (const finding of findings) console.log(`  ${describeFinding(finding)}`);
}

function describeFinding(finding: Finding): string {
  const { name, value, atLeast, atMost, spread, note = '' } = finding;
  const bound =
    atLeast !== undefined ? `at least ${atLeast}` : atMost !== undefined ? `at most ${atMost}` : '';
  const mark = bound === '' ? ' ' : isWithinBounds(finding) ? '✓' : '✗';
  const figure = showNumber(value).padStart(10);
  const range = spread ? ` ${showSpread(spread).padEnd(13)}` : '';
  return `${mark} ${name.padEnd(48)} ${figure}${range}  ${bound}${note && `  ${note}`}`;
}

export const showNumber = (value: number) =>
  Number.isInteger(value) ? value.toLocaleString('en-NZ') : value.toFixed(2);

/** Beside a ratio that is not whole, 1 is written 1.00. */
export function showSpread({ low, high }: Spread): string {
  const areWhole = Number.isInteger(low) && Number.isInteger(high);
  const [from, to] = [low, high].map((end) => (areWhole ? showNumber(end) : end.toFixed(2)));
  return `(${from}–${to})`;
}

export const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** The quartiles, as measured numbers: they leave one bad round in seven out, and show a bad run. */
export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  return { low: sorted[quarter] ?? Number.NaN, high: sorted.at(-1 - quarter) ?? Number.NaN };
}

/** One figure, and the bound it must keep where it has one. */
export interface Finding {
  name: string;
  value: number;
  atLeast?: number;
  atMost?: number;
}

export const isKept = ({
  value,
  atLeast = Number.NEGATIVE_INFINITY,
  atMost = Number.POSITIVE_INFINITY,
}: Finding) => value >= atLeast && value <= atMost;

export function printFindings(title: string, findings: readonly Finding[]): void {
  console.log(`\n${title}`);
  for (const finding of findings) {
    const { name, value, atLeast, atMost } = finding;
    const figure = Number.isInteger(value) ? value.toLocaleString('en-NZ') : value.toFixed(2);
    const bound =
      atLeast !== undefined ? `at least ${atLeast}` : atMost !== undefined ? `at most ${atMost}` : '';
    const mark = bound === '' ? ' ' : isKept(finding) ? '✓' : '✗';
    console.log(`  ${mark} ${name.padEnd(48)} ${figure.padStart(10)}  ${bound}`);
  }
}

export const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

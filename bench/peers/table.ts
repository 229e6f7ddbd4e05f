import { showNumber } from '../report.ts';
import type { Outcome } from '../throughput/load-client.ts';
import { compareOutcomes, rateByProcessor, rateOf } from '../throughput/side-by-side.ts';

/** By a server's name, and then by what it was asked for. */
export type Measured = Map<string, Record<string, Outcome[]>>;

/** In Markdown: how many, and how many times as many as the one they are all beside. */
export function tableOf(
  measured: Measured,
  columns: Record<string, string>,
  beside: string,
  how: 'inTime' | 'byProcessor',
): string {
  const keys = Object.keys(columns);
  const rate = how === 'inTime' ? rateOf : rateByProcessor;
  const cell = (outcomes: Outcome[] | undefined, what: string) => {
    if (!outcomes) return '';
    const others = measured.get(beside)?.[what] ?? [];
    const { value } = compareOutcomes(outcomes, others)[how];
    return `${showNumber(rate(outcomes))} (${value.toFixed(2)})`;
  };
  const rows = [...measured].map(([name, row]) => [name, ...keys.map((what) => cell(row[what], what))]);
  return [['', ...Object.values(columns)], ['---', ...keys.map(() => '---:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

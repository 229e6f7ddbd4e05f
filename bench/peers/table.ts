import { showNumber } from '../report.ts';
import { compareResults, rateByProcessor, rateOf } from '../throughput/comparison.ts';
import type { LoadResult } from '../throughput/load-client.ts';

/** By the server's name and then by workload. */
export type Measured = Map<string, Record<string, LoadResult[]>>;

/** In Markdown: each server's rate, and its ratio to the baseline. */
export function tableOf(
  measured: Measured,
  columns: Record<string, string>,
  baseline: string,
  how: 'inTime' | 'byProcessor',
): string {
  const keys = Object.keys(columns);
  const rate = how === 'inTime' ? rateOf : rateByProcessor;
  const cell = (results: LoadResult[] | undefined, workload: string) => {
    if (!results) return '';
    const others = measured.get(baseline)?.[workload] ?? [];
    const { value } = compareResults(results, others)[how];
    return `${showNumber(rate(results))} (${value.toFixed(2)})`;
  };
  const rows = [...measured].map(([name, row]) => [
    name,
    ...keys.map((workload) => cell(row[workload], workload)),
  ]);
  return [['', ...Object.values(columns)], ['---', ...keys.map(() => '---:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

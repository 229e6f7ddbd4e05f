/** The text format of Prometheus, version 0.0.4. Names and label values are the program's own words, so nothing is escaped. */

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;
export type Sample = readonly [labels: Labels, value: number, suffix?: string];

export function formatMetric(
  name: string,
  help: string,
  value: number | readonly Sample[],
  type = name.endsWith('_total') ? 'counter' : 'gauge',
): string {
  const samples: readonly Sample[] = typeof value === 'number' ? [[{}, value]] : value;
  const lines = samples.map(([labels, number, suffix = '']) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    return `${name}${suffix}${pairs.length > 0 ? `{${pairs}}` : ''} ${number}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** Counts each set of labels from the start on: a rate over a series that appears with a 1 misses that 1. */
export function createCounter<L extends Labels>(name: string, help: string, all: readonly L[]) {
  const samples = new Map(all.map((labels) => [Object.values(labels).join(), [labels, 0] as [L, number]]));
  return {
    /** @param labels in the order of `all`. */
    add(labels: L): void {
      const sample = samples.get(Object.values(labels).join());
      if (sample) sample[1]++;
    },
    format: () => formatMetric(name, help, [...samples.values()]),
  };
}

export function createHistogram(name: string, help: string, bounds: readonly number[]) {
  const buckets = bounds.map((bound) => ({ bound, count: 0 }));
  let [sum, count] = [0, 0];
  return {
    observe(value: number): void {
      sum += value;
      count++;
      for (const bucket of buckets) if (value <= bucket.bound) bucket.count++;
    },
    format() {
      const samples = [...buckets, { bound: '+Inf', count }].map(
        (bucket): Sample => [{ le: `${bucket.bound}` }, bucket.count, '_bucket'],
      );
      return formatMetric(name, help, [...samples, [{}, sum, '_sum'], [{}, count, '_count']], 'histogram');
    },
  };
}

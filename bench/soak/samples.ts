import { readdirSync } from 'node:fs';
import { residentMegabytes } from '../../test/support/attackers.ts';
import { type Finding, median } from '../report.ts';
import { processSeconds } from '../throughput/processor-time.ts';
import type { Traffic } from './traffic.ts';

/** The state of the server, every few seconds of a soak. */
export interface Sample {
  seconds: number;
  residentMegabytes: number;
  handles: number;
  /** Since the start: the server's processor time, and the completed visits. */
  processorSeconds: number;
  visits: number;
}

/** Files and connections. Every other resource of Node belongs to one of them, or to a timer. */
export const countHandles = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

export function takeSample(pid: number, { counts }: Traffic, seconds: number): Sample {
  return {
    seconds,
    residentMegabytes: residentMegabytes(pid),
    handles: countHandles(pid),
    processorSeconds: processSeconds(pid),
    visits: Object.values(counts).reduce((sum, count) => sum + count, 0),
  };
}

export function printSample(sample: Sample, { counts, unexpected }: Traffic, faults: readonly string[]) {
  const { seconds, residentMegabytes: megabytes, handles, processorSeconds } = sample;
  const figures = `${megabytes.toFixed(0)} MB, ${handles} handles, ${processorSeconds.toFixed(0)} s of processor`;
  console.log(`  ${seconds.toFixed(0).padStart(5)} s: ${figures}`);
  const visits = Object.entries(counts).map(([kind, count]) => `${kind} ${count.toLocaleString('en-NZ')}`);
  console.log(`           ${[...visits, ...faults.map((fault) => `! ${fault}`)].join(' · ')}`);
  for (const [what, times] of Object.entries(unexpected)) console.log(`         ✗ ${what}, ${times} ×`);
}

/**
 * The last quarter beside the second: each quarter has the same faults, and the first one warms up caches, compiled code
 * and the garbage collector.
 */
export function judgeSamples(samples: readonly Sample[]): Finding[] {
  const quarter = (n: number) =>
    samples.slice(Math.floor((samples.length * n) / 4), Math.floor((samples.length * (n + 1)) / 4));
  const [second, last] = [quarter(1), quarter(3)];
  const memory = (some: readonly Sample[]) => median(some.map((one) => one.residentMegabytes));
  const millisecondsPerVisit = (some: readonly Sample[]) => {
    const total = (of: (sample: Sample) => number) => of(some.at(-1) as Sample) - of(some[0] as Sample);
    return (1_000 * total((one) => one.processorSeconds)) / total((one) => one.visits);
  };
  const compare = (name: string, of: (some: readonly Sample[]) => number, atMost: number): Finding => ({
    name: `${name}, ${of(second).toFixed(2)} in the second quarter, ${of(last).toFixed(2)} in the last`,
    value: of(last) / of(second),
    atMost,
  });
  return [
    compare('memory, MB', memory, 1.2),
    compare('processor time a visit, ms', millisecondsPerVisit, 1.5),
  ];
}

import { type Finding, median } from '../report.ts';
import type { Sample } from './samples.ts';

/** What a soak shows by its samples alone. Every quarter has the same faults in it, so that quarters can be compared. */

/** The first quarter is for warming up: caches fill, code is compiled, the collector finds its measure. */
export function judgeSamples(samples: readonly Sample[]): Finding[] {
  const quarter = (n: number) =>
    samples.slice(Math.floor((samples.length * n) / 4), Math.floor((samples.length * (n + 1)) / 4));
  const middle = (some: readonly Sample[], of: (sample: Sample) => number) => median(some.map(of));
  const [second, last] = [quarter(1), quarter(3)];

  const memory = ({ residentMegabytes }: Sample) => residentMegabytes;
  const [early, late] = [middle(second, memory), middle(last, memory)];
  // Beside a loop that has nothing to do in the same seconds: a machine that is busy elsewhere holds up both.
  const delay = ({ loopMs, idleLoopMs }: Sample) => loopMs / idleLoopMs;
  const [before, after] = [middle(second, delay), middle(last, delay)];
  return [
    {
      name: `memory, ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} in the last`,
      value: late / early,
      atMost: 1.2,
    },
    {
      name: `delay, ${before.toFixed(2)} × an idle loop's, and in the last quarter ${after.toFixed(2)} ×`,
      value: after / before,
      atMost: 1.5,
    },
  ];
}

import type { TestServer } from '../../test/support/server.ts';
import { measureInterleaved, ratios } from '../interleaved.ts';
import { median, type Spread, showNumber, showSpread, spreadOf } from '../report.ts';
import type { LoadResult } from './load-client.ts';
import type { LoadClient } from './pinned-processes.ts';
import type { Workload } from './workloads.ts';

/** One of the servers that are compared. Each has a workload of its own, because addresses of files differ. */
export interface Side {
  server: TestServer;
  workload: Workload;
}

export function measureSides<Name extends string>(
  client: LoadClient,
  sides: Record<Name, Side>,
  rounds: number,
): Promise<Record<Name, LoadResult[]>> {
  const names = Object.keys(sides) as Name[];
  const servers = names.map((name) => sides[name].server);
  return measureInterleaved(names, rounds, (name) =>
    client.load(sides[name].server, servers, sides[name].workload),
  );
}

const perSecond = ({ responses, seconds }: LoadResult) => responses / seconds;
const perProcessorSecond = ({ responses, serverSeconds }: LoadResult) => responses / serverSeconds;

/** The median of the rounds' ratios of one side to the other. */
interface Ratio {
  value: number;
  spread: Spread;
}

interface Comparison {
  /** In responses a second. */
  inTime: Ratio;
  /**
   * In responses per second of processor time that the server's process used. Other work on the machine does not change
   * this ratio, and neither does waiting for the disk.
   */
  byProcessor: Ratio;
}

export function compareResults(ones: readonly LoadResult[], others: readonly LoadResult[]): Comparison {
  const ratioIn = (rate: (result: LoadResult) => number): Ratio => {
    const all = ratios(ones.map(rate), others.map(rate));
    return { value: median(all), spread: spreadOf(all) };
  };
  return { inTime: ratioIn(perSecond), byProcessor: ratioIn(perProcessorSecond) };
}

export const rateOf = (results: readonly LoadResult[]): number => Math.round(median(results.map(perSecond)));

export const rateByProcessor = (results: readonly LoadResult[]): number =>
  Math.round(median(results.map(perProcessorSecond)));

/** `2,860 (2,710–2,900)` */
export function describeRate(results: readonly LoadResult[]): string {
  const { low, high } = spreadOf(results.map(perSecond));
  return `${showNumber(rateOf(results))} ${showSpread({ low: Math.round(low), high: Math.round(high) })}`;
}

/** Null unless other processes used more of the servers' core than interrupts and the kernel do, a few hundredths. */
export function describeBusyMachine(results: readonly LoadResult[]): string | null {
  const share = median(results.map(({ othersOnCore }) => othersOnCore));
  return share > 0.1 ? `BUSY MACHINE: others had ${Math.round(share * 100)} % of the core` : null;
}

/** From 1 on the client is the bottleneck, and the figures tell of the client instead of the server. */
export const clientShare = (results: readonly LoadResult[]): number =>
  median(results.map(({ clientSeconds, serverSeconds }) => clientSeconds / serverSeconds));

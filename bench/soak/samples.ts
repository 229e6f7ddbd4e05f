import { readdirSync } from 'node:fs';
import { residentMegabytes } from '../../test/support/attackers.ts';
import type { TestServer } from '../../test/support/server.ts';
import type { AskedProcess } from './asked-process.ts';
import type { VisitReport } from './visitors.ts';

/** How the server is, every few seconds of a soak. */
export interface Sample {
  seconds: number;
  residentMegabytes: number;
  heapMegabytes: number;
  handles: number;
  /** The 99th percentile since the last look, of the server and of a loop that has nothing to do. */
  loopMs: number;
  idleLoopMs: number;
}

/** Files and connections. Everything else that is open in Node hangs on one of these, or on a timer. */
export const countHandles = (pid: number | undefined) => readdirSync(`/proc/${pid}/fd`).length;

/** The figures that the server tells Prometheus, by name and labels. */
export async function readFigures({ lines }: TestServer): Promise<Map<string, number>> {
  const [, port] = /"event":"metrics served","port":(\d+)/.exec(lines.slice(0, 50).join('\n')) ?? [];
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    series.map((line): [string, number] => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end))];
    }),
  );
}

export async function takeSample(server: TestServer, idle: AskedProcess, seconds: number): Promise<Sample> {
  const { pid } = server.process;
  // Together, so that both tell of the same seconds.
  const [figures, idleLoopMs] = await Promise.all([readFigures(server), idle.ask<number>('delay')]);
  return {
    seconds,
    residentMegabytes: residentMegabytes(pid),
    heapMegabytes: (figures.get('nodejs_heap_size_used_bytes') ?? Number.NaN) / 2 ** 20,
    handles: countHandles(pid),
    loopMs: (figures.get('nodejs_eventloop_lag_p99_seconds') ?? Number.NaN) * 1_000,
    idleLoopMs,
  };
}

const columns = ['time', 'MB', 'heap MB', 'handles', 'delay p99 ms', 'idle p99 ms'];
const width = (column: string) => Math.max(7, column.length);

export function printHeading(): void {
  console.log(`\n  ${columns.map((column) => column.padStart(width(column))).join('  ')}`);
}

/** One line, and below it who came since the start and what went wrong around the site. */
export function printSample(sample: Sample, { counts, unexpected }: VisitReport, faults: readonly string[]) {
  const { seconds, residentMegabytes: megabytes, heapMegabytes, handles, loopMs, idleLoopMs } = sample;
  const whole = Math.round(seconds);
  const clock = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
  const figures = [megabytes.toFixed(0), heapMegabytes.toFixed(0), `${handles}`];
  const cells = [clock, ...figures, loopMs.toFixed(1), idleLoopMs.toFixed(1)];
  const visits = Object.entries(counts).map(([kind, times]) => `${kind} ${times.toLocaleString('en-NZ')}`);
  console.log(`  ${cells.map((cell, n) => cell.padStart(width(columns[n] ?? ''))).join('  ')}`);
  console.log(`           ${[...visits, ...faults.map((fault) => `! ${fault}`)].join(' · ')}`);
  for (const [what, times] of Object.entries(unexpected)) console.log(`         ✗ ${what}, ${times} ×`);
}

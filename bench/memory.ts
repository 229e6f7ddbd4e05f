import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { residentMegabytes } from '../test/support/attackers.ts';
import type { Finding } from './report.ts';
import { temporaryDataDir } from './temporary-data-dir.ts';
import { startLoadClient, startSiteOnCore } from './throughput/pinned-processes.ts';
import { findWorkloads } from './throughput/workloads.ts';

/** Does the server's memory grow with the number of requests? */

type Amounts = Record<'pages' | 'queries' | 'submissions', number>;

/** Enough to fill the table of the last 20,000 client addresses before the first measurement. */
const early: Amounts = { pages: 10_000, queries: 10_000, submissions: 15_000 };
const late: Amounts = { pages: 1_000_000, queries: 1_000_000, submissions: 100_000 };
/** Each round ends with submissions, so that the last requests before every measurement are of the same kind. */
const rounds = 10;

/** `MEMORY_SCALE=0.1` for a quick run, which finds large leaks only. */
const scale = Number(process.env.MEMORY_SCALE || 1);

/** V8 may leave garbage for minutes, so it collects at a signal. */
const collectOnSignal = [
  '--expose-gc',
  "--import=data:text/javascript,process.on('SIGUSR2',()=>globalThis.gc())",
];

export async function measureMemory(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  const server = await startSiteOnCore(folder.path, { flags: collectOnSignal });
  const { process: child } = server;
  const client = startLoadClient();
  try {
    const workloads = await findWorkloads(server.url);
    const send = async (amounts: Amounts) => {
      for (const kind of ['pages', 'queries', 'submissions'] as const)
        for (let sent = 0; sent < amounts[kind]; )
          sent += (await client.load(server, [server], workloads[kind])).responses;
    };
    await send(early);
    const before = await settledMegabytes(child);
    const share = (kind: keyof Amounts) => (late[kind] * scale - early[kind]) / rounds;
    const each = { pages: share('pages'), queries: share('queries'), submissions: share('submissions') };
    for (let round = 1; round <= rounds; round++) {
      await send(each);
      const now = residentMegabytes(child.pid).toFixed(0);
      console.log(`  under load, ${round} of ${rounds}: ${now} MB`);
    }
    const after = await settledMegabytes(child);
    const figures = `${before.toFixed(0)} MB after ten thousand, ${after.toFixed(0)} at the end`;
    return [
      { name: `memory, ${figures}`, value: after / before, atMost: 1.2 },
      { name: 'memory at its most, under load, MB', value: Math.round(peakMegabytes(child.pid)) },
    ];
  } finally {
    await client.end();
    await server.end();
  }
}

/** Free memory returns to the system little by little: wait until it has not fallen for `stableMs`. */
const settling = { stableMs: 10_000, everyMs: 500, atMostMs: 180_000 } as const;

/** The memory that is left without garbage. */
async function settledMegabytes(child: ChildProcess): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  const start = performance.now();
  for (let since = start; performance.now() - since < settling.stableMs; await pause(settling.everyMs)) {
    child.kill('SIGUSR2');
    const now = residentMegabytes(child.pid);
    if (now < least * 0.99) since = performance.now();
    least = Math.min(least, now);
    if (performance.now() - start > settling.atMostMs) break;
  }
  return least;
}

/** What a small machine must have, also where the server gives some of it back between two rushes. */
const peakMegabytes = (pid: number | undefined) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

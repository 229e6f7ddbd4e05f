import { readFileSync } from 'node:fs';
import { startScript, startServer, type TestServer } from '../test/support/server.ts';
import { mintToken } from '../test/support/tokens.ts';
import { trustTheVisitor } from '../test/support/visitor.ts';
import { temporaryDataDir } from './data-dir.ts';
import { queryForms, submitForms } from './load.ts';
import { type Finding, median } from './report.ts';

/** Times are compared within one run only: ours beside the bare one, in turn, and the median of the ratios. */
const rounds = 5;
const submissionsARound = 6_000;
const querySeconds = 3;

async function withServers<T>(work: (ours: TestServer, bare: TestServer) => Promise<T>): Promise<T> {
  await using folder = temporaryDataDir();
  const env = { DATA_DIR: folder.path, ...trustTheVisitor };
  const [ours, bare] = await Promise.all([
    startServer(env),
    startScript('bench/bare-server.ts', [folder.path]),
  ]);
  try {
    return await work(ours, bare);
  } finally {
    await Promise.all([ours.end(), bare.end()]);
  }
}

type Measure = (url: string) => Promise<{ perSecond: number }>;

async function compare(name: string, ours: string, bare: string, measure: Measure): Promise<Finding[]> {
  await measure(ours);
  await measure(bare);
  const pairs: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push({ ours: (await measure(ours)).perSecond, bare: (await measure(bare)).perSecond });
  }
  return [
    { name: `${name} a second`, value: Math.round(median(pairs.map((pair) => pair.ours))) },
    { name: `${name} a second, bare node:http`, value: Math.round(median(pairs.map((pair) => pair.bare))) },
    { name: `${name}, ratio`, value: median(pairs.map((pair) => pair.ours / pair.bare)), atLeast: 0.5 },
  ];
}

export function measureThroughput(): Promise<Finding[]> {
  return withServers(async (ours, bare) => [
    ...(await compare('submissions', ours.url, bare.url, async (url) =>
      submitForms(url, await Promise.all(Array.from({ length: submissionsARound }, () => mintToken()))),
    )),
    ...(await compare('form queries', ours.url, bare.url, (url) =>
      queryForms(url, { duration: querySeconds }),
    )),
  ]);
}

const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Memory that only grows would end the process one day. */
export function measureMemory(): Promise<Finding[]> {
  return withServers(async ({ url, process: { pid = 0 } }) => {
    await queryForms(url, { amount: 10_000 });
    const early = residentMegabytes(pid);
    await queryForms(url, { amount: 990_000 });
    const late = residentMegabytes(pid);
    return [
      { name: 'memory after ten thousand requests, MB', value: early },
      { name: 'memory after a million requests, MB', value: late },
      { name: 'memory, ratio', value: late / early, atMost: 2 },
    ];
  });
}

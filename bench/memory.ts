import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeFlags } from '../scripts/node-flags.ts';
import { formQueries, submitMutations } from '../src/model/operations.ts';
import { residentMegabytes } from '../test/support/attackers.ts';
import { sampleEntries } from '../test/support/forms.ts';
import { startServer } from '../test/support/server.ts';
import { mintToken } from '../test/support/tokens.ts';
import { trustTheVisitor } from '../test/support/visitor.ts';
import { temporaryDataDir } from './data-dir.ts';
import { askMany, wireRequest } from './lean-client.ts';
import type { Finding } from './report.ts';

/** Memory that only grows would end the process one day. */

interface Amounts {
  pages: number;
  queries: number;
  submissions: number;
}

/** Enough that what is kept for each of the last 20,000 addresses is all there before it is first looked at. */
const early: Amounts = { pages: 10_000, queries: 10_000, submissions: 10_000 };
const late: Amounts = { pages: 1_000_000, queries: 1_000_000, submissions: 100_000 };
/** A round ends as the first one does, with submissions, so that what was done last is the same at every look. */
const rounds = 10;

/** `MEMORY_SCALE=0.1` for a quick try, which finds a large leak and no small one. */
const scale = Number(process.env.MEMORY_SCALE || 1);

const paths = ['/', '/help', '/contact'];
const json = { 'Content-Type': 'application/json' };
const query = JSON.stringify({ query: formQueries.help });
const mutation = (recaptchaToken: string) =>
  JSON.stringify({
    query: submitMutations.help,
    variables: { fields: sampleEntries.help, recaptchaToken },
  });

async function visit(url: string, { pages, queries, submissions }: Amounts): Promise<void> {
  let visits = 0;
  await askMany(url, {
    amount: pages,
    next: () => wireRequest('GET', paths[visits++ % paths.length] ?? '/', { 'Accept-Encoding': 'br' }),
    isRight: ({ status }) => status === 200,
  });
  await askMany(url, {
    amount: queries,
    next: () => wireRequest('POST', '/graphql', json, query),
    isRight: ({ status }) => status === 200,
  });
  await askMany(url, {
    amount: submissions,
    next: async () => wireRequest('POST', '/graphql', json, mutation(await mintToken())),
    isRight: ({ status, body }) => status === 200 && body.includes('"reference":"'),
  });
}

/** So long without having fallen further: what is free is given back to the system by and by. */
const settled = { forMs: 10_000, everyMs: 500, atMostMs: 180_000 } as const;

/** What is still there when the garbage is gone and nothing more is given back. */
async function settledMegabytes(child: ChildProcess): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  const start = performance.now();
  for (let since = start; performance.now() - since < settled.forMs; await pause(settled.everyMs)) {
    child.kill('SIGUSR2');
    const now = residentMegabytes(child.pid);
    if (now < least * 0.99) since = performance.now();
    least = Math.min(least, now);
    if (performance.now() - start > settled.atMostMs) break;
  }
  return least;
}

/** What is given back in a pause was needed all the same, and a small machine may not have it. */
const peakMegabytes = (pid: number | undefined) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export async function measureMemory(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  const options = [...nodeFlags, '--expose-gc', `--import=${import.meta.resolve('./collect-when-told.ts')}`];
  const asStarted = { NODE_ENV: 'production', NODE_OPTIONS: options.join(' ') };
  const server = await startServer({ DATA_DIR: folder.path, ...asStarted, ...trustTheVisitor });
  const { url, process: child } = server;
  try {
    await visit(url, early);
    const before = await settledMegabytes(child);
    const share = (kind: keyof Amounts) =>
      Math.max(0, Math.round((late[kind] * scale - early[kind]) / rounds));
    const each = { pages: share('pages'), queries: share('queries'), submissions: share('submissions') };
    for (let round = 1; round <= rounds; round++) {
      await visit(url, each);
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
    await server.end();
  }
}

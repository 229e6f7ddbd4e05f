import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createRetention } from '../../src/server/erasure/retention.ts';
import { claimMail } from '../../src/server/store/contract/mail-jobs.ts';
import type { Store } from '../../src/server/store/contract/store.ts';
import { sampleEntries, shippedContent } from '../../test/support/forms.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { measureInterleaved } from '../interleaved.ts';
import { type Finding, median } from '../report.ts';
import { temporaryDataDir } from '../temporary-data-dir.ts';
import { type FilledStore, fillPostgres, fillSqlite } from './fill.ts';

/**
 * The time of the store's frequent operations, with ten thousand, a hundred thousand and a million requests in it.
 * `GROWTH_ROWS=1000,10000` for a quick run.
 */

const sizes = (process.env.GROWTH_ROWS ?? '10000,100000,1000000').split(',');
const rounds = 9;
/** A hundred times as many rows make an index one level higher, and a cache holds a smaller share of it. */
const limit = 1.5;

/** Returns its time in milliseconds. */
type Operation = (filled: FilledStore) => Promise<number>;

const operations: Record<string, Operation> = {
  'a submission': async ({ store }) => {
    const count = 20;
    const ms = await timeOf(async () => {
      for (let sent = 0; sent < count; sent++) await store.add(inventSubmission());
    });
    return ms / count;
  },
  'a claim of 20 due deliveries': ({ store }) =>
    // A lease of 1 ms, so that the next round claims the same deliveries.
    timeOf(() => claimMail(store, new Date(), 20, 1, 'retry')),
  'a page of list': ({ store }) => timeOf(() => readSome(store, 50)),
  'a purge of 20': async (filled) => {
    await filled.expire(20);
    return timeOf(() => purge(filled));
  },
  'a start': ({ open }) =>
    timeOf(async () => {
      const store = await open();
      await Promise.all([store.findTimes(), store.summariseUndelivered()]);
      await store.close();
    }),
};

export async function measureGrowth(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  const server = await startPostgres();
  try {
    return [
      ...(await compare('SQLite', (rows) => fillSqlite(join(folder.path, String(rows)), rows))),
      ...(await compare('PostgreSQL', async (rows) => fillPostgres(await server.createDatabase(), rows))),
    ];
  } finally {
    await server.remove();
  }
}

async function compare(name: string, fill: (rows: number) => Promise<FilledStore>): Promise<Finding[]> {
  const filled: Record<string, FilledStore> = {};
  for (const size of sizes) filled[size] = await fill(Number(size));
  const sizeOf = (size: string) => filled[size] as FilledStore;
  try {
    const findings: Finding[] = [];
    for (const [what, operation] of Object.entries(operations)) {
      const times = await measureInterleaved(sizes, rounds, (size) => operation(sizeOf(size)));
      findings.push(describeGrowth(`${name}, ${what}`, (size) => median(times[size] ?? [])));
    }
    const exports: Record<string, number> = {};
    for (const size of sizes)
      exports[size] = (await timeOf(() => exportAll(sizeOf(size).store))) / Number(size);
    findings.push(
      describeGrowth(`${name}, an export, for each request`, (size) => exports[size] ?? Number.NaN),
    );
    return findings;
  } finally {
    for (const { store } of Object.values(filled)) await store.close();
  }
}

/** The time with the most rows beside the time with the fewest. */
function describeGrowth(name: string, msOf: (size: string) => number): Finding {
  const ms = sizes.map(msOf);
  return {
    name: `${name}, ratio`,
    value: (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN),
    atMost: limit,
    note: `ms: ${ms.map((one) => one.toFixed(3)).join(', ')}`,
  };
}

const inventSubmission = () => ({
  form: shippedContent.forms.help,
  answers: sampleEntries.help,
  verdict: { kind: 'clean' as const },
  tokenHash: randomUUID().replaceAll('-', ''),
  answersHash: randomUUID(),
  receivedAt: new Date(),
  // Not due within the run, so that the number of due deliveries stays the same.
  heldUntil: new Date(Date.now() + 10 * 60_000),
});

async function readSome(store: Store, count: number): Promise<void> {
  let left = count;
  for await (const _ of store.iterateSubmissions({})) if (--left === 0) return;
}

/** All queries of the command `awhina export`. */
async function exportAll(store: Store): Promise<void> {
  await store.countSubmissions({});
  await store.listDefinitions({});
  for await (const _ of store.iterateSubmissions({}));
}

/** Without scrubbing the files, whose time grows with the number of rows: PostgreSQL rewrites its tables. */
async function purge({ store, folder }: FilledStore): Promise<void> {
  const eraseExpired = createRetention({
    archive: { ...store, scrub: async () => true },
    mailFolder: join(folder, 'mail'),
    dataDir: folder,
    retentionDays: 30,
    unseenRetentionDays: null,
    now: () => new Date(),
    checkClock: () => null,
  });
  const { count } = await eraseExpired();
  if (count !== 20) throw new Error(`${count} erased instead of 20`);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

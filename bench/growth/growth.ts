import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createRetention } from '../../src/server/delivery/erasure/retention.ts';
import type { Store } from '../../src/server/store/contract/store.ts';
import { sampleEntries, shippedContent } from '../../test/support/forms.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { temporaryDataDir } from '../data-dir.ts';
import { type Finding, median } from '../report.ts';
import { type FilledStore, fillPostgres, fillSqlite } from './fill.ts';

/**
 * What the store is asked, with ever more requests in it: each of them in turn, so that what else the machine does falls on
 * all. `GROWTH_ROWS=1000,10000` is a quick look.
 */

const sizes = (process.env.GROWTH_ROWS ?? '10000,100000,1000000').split(',').map(Number);
const rounds = 9;
/** As many senders as in the other figures. */
const atOnce = 50;
/** The most that a hundred times as many may cost: a tree that is a level higher, and a cache that holds less of it. */
const limit = 1.5;

/** What it takes, in milliseconds. */
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
    // Leased for a moment only: the next round finds the same.
    timeOf(() => store.claimDueDeliveries(new Date(), 20, 1, 'before')),
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

/**
 * Those that share a sync are told and not bounded. Their names and tokens are random, so that each lands in another page of
 * the index: among a million they dirty all the pages they touch, among ten thousand many of the same, and a file of SQLite
 * has each written back.
 */
const sendTogether: Operation = async ({ store }) => {
  const ms = await timeOf(() =>
    Promise.all(Array.from({ length: atOnce }, () => store.add(inventSubmission()))),
  );
  return ms / atOnce;
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
  const filled: FilledStore[] = [];
  for (const rows of sizes) filled.push(await fill(rows));
  try {
    const times = new Map<string, number[][]>();
    for (const [what, operation] of Object.entries(operations))
      times.set(what, await measureInTurn(filled, operation));
    const exports: number[] = [];
    for (const one of filled) exports.push((await timeOf(() => exportAll(one.store))) / one.rows);
    times.set('an export, for each request', [exports]);
    // What has to grow with what is kept is told, and not bounded.
    const together = await measureInTurn(filled, sendTogether);
    const looks: number[] = [];
    for (const { lookForDamage } of filled) if (lookForDamage) looks.push(await timeOf(lookForDamage));
    const scrubs: number[] = [];
    for (const { store } of filled) scrubs.push(await timeOf(() => store.scrub()));
    printTable(name, times, {
      [`one of ${atOnce} submissions at once`]: middlesOf(together),
      'the look for damage at a start': looks,
      'taking out the traces': scrubs,
    });
    return [...times].map(([what, found]) => ({
      name: `${name}, ${what}, ratio`,
      value: growthOf(middlesOf(found)),
      atMost: limit,
    }));
  } finally {
    for (const { store } of filled) await store.close();
  }
}

/** By round and size. The first round warms up; each size goes first by turns. */
async function measureInTurn(filled: readonly FilledStore[], operation: Operation): Promise<number[][]> {
  const found: number[][] = [];
  for (let round = 0; round <= rounds; round++) {
    const times: number[] = [];
    const order = [...filled.keys()];
    for (const index of round % 2 ? order : order.toReversed())
      times[index] = await operation(filled[index] as FilledStore);
    if (round > 0) found.push(times);
  }
  return found;
}

function printTable(
  name: string,
  times: ReadonlyMap<string, number[][]>,
  told: Readonly<Record<string, number[]>>,
): void {
  const row = (what: string, cells: readonly string[]) =>
    console.log(`  ${what.padEnd(34)}${cells.map((cell) => cell.padStart(13)).join('')}`);
  console.log(`\n${name}, milliseconds by how many are kept`);
  row('', [...sizes.map((rows) => rows.toLocaleString('en-NZ')), 'ratio']);
  const rows = [...times].map(([what, found]) => [what, middlesOf(found)] as const);
  for (const [what, ms] of [...rows, ...Object.entries(told)])
    if (ms.length > 0)
      row(what, [...ms.map((one) => one.toFixed(one < 100 ? 3 : 0)), growthOf(ms).toFixed(2)]);
}

/** The middle of all rounds, by size. */
const middlesOf = (found: readonly number[][]) =>
  sizes.map((_, index) => median(found.map((each) => each[index] ?? Number.NaN)));

/** The largest beside the smallest. */
const growthOf = (ms: readonly number[]) => (ms.at(-1) ?? Number.NaN) / (ms[0] ?? Number.NaN);

const inventSubmission = () => ({
  form: shippedContent.forms.help,
  answers: sampleEntries.help,
  verdict: { kind: 'clean' as const },
  tokenHash: randomUUID().replaceAll('-', ''),
  answersHash: randomUUID(),
  receivedAt: new Date(),
  // Not a moment too early for a claim: those that wait stay as many.
  heldUntil: new Date(Date.now() + 10 * 60_000),
});

async function readSome(store: Store, count: number): Promise<void> {
  let left = count;
  for await (const _ of store.iterateSubmissions({})) if (--left === 0) return;
}

/** All that the command asks of the store. */
async function exportAll(store: Store): Promise<void> {
  await store.countSubmissions({});
  await store.listDefinitions({});
  for await (const _ of store.iterateSubmissions({}));
}

/** But for taking the traces out of the files, which is told apart: PostgreSQL writes its tables anew for it. */
async function purge({ store, folder }: FilledStore): Promise<void> {
  const eraseExpired = createRetention({
    archive: { ...store, scrub: async () => true },
    mailFolder: join(folder, 'mail'),
    dataDir: folder,
    retentionDays: 30,
    now: () => new Date(),
    doubtClock: () => null,
  });
  const { count } = await eraseExpired();
  if (count !== 20) throw new Error(`${count} erased, and not 20`);
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

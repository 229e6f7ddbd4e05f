import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../src/server/store/contract/store.ts';
import type { StoredSubmission } from '../src/server/store/contract/submission.ts';
import { openPostgresStore } from '../src/server/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhina, awhinaShared } from './support/command.ts';
import { workerFor } from './support/delivery.ts';
import { filesWith } from './support/find-in-files.ts';
import { keepSubmission } from './support/kept-submissions.ts';
import type { DieAt, MoveAndDie } from './support/move-and-die.ts';
import { startPostgres, type TestPostgres } from './support/postgres.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

const now = () => new Date();
const canary = 'Kanariwhero7Q';

/** Both ways. `from` and `to` are opened anew for each look, because a move wants them for itself. */
async function prepare(way: 'to PostgreSQL' | 'to SQLite') {
  const dataDir = temporaryFolder();
  const url = await postgres.createDatabase();
  const sqlite = () => openSqliteStore(dataDir);
  const database = () => openPostgresStore(url, () => {});
  const toPostgres = way === 'to PostgreSQL';
  const [from, to] = toPostgres ? [sqlite, database] : [database, sqlite];
  const settings = toPostgres ? { DATA_DIR: dataDir } : { DATA_DIR: dataDir, DATABASE_URL: url };
  const use = async <T>(open: () => Promise<Store>, work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await open();
    return work(store).finally(() => store.close());
  };
  const args = ['move', '--to', toPostgres ? url : 'sqlite'];
  return {
    dataDir,
    url,
    settings,
    args,
    inOld: <T>(work: (store: Store) => Promise<T>) => use(from, work),
    inNew: <T>(work: (store: Store) => Promise<T>) => use(to, work),
    move: () => awhina(args, settings),
  };
}

async function everythingIn(store: Store): Promise<Map<string, StoredSubmission>> {
  const found = new Map<string, StoredSubmission>();
  for await (const one of store.iterateSubmissions({})) found.set(one.reference, one);
  return found;
}

const figuresIn = (store: Store) => store.readFigures('0000-01-01', '9999-12-31');
const sum = (all: readonly { count: number }[]) => all.reduce((before, { count }) => before + count, 0);

/** Without what each database has for itself. */
const comparable = (all: Map<string, StoredSubmission>) =>
  [...all.values()]
    .map(({ id: _id, delivery: { nextAttemptAt: _at, ...delivery }, ...rest }) => ({ ...rest, delivery }))
    .toSorted((a, b) => a.reference.localeCompare(b.reference));

/** One in each state that a delivery can be in. */
async function keepOneOfEach(store: Store): Promise<void> {
  const claimOne = async () => (await store.claimDueDeliveries(now(), 1, 60_000, 'new'))[0];
  const keep = (changes = {}) => keepSubmission(store, { receivedAt: now(), ...changes });
  await keep({ answers: { Message: `delivered ${canary}` } });
  const delivered = await claimOne();
  if (delivered) await store.finishDelivery(delivered, now());
  await keep({ form: 'contact' });
  const parked = await claimOne();
  if (parked) await store.parkDelivery(parked, now(), 'SMTP 550 at DATA');
  await keep({ verdict: { kind: 'low-score', score: 0.1 } });
  const later = await claimOne();
  if (later) await store.postponeDelivery(later, now(), 'ETIMEDOUT at CONN');
  await keep({ urgent: true, rank: 2, answers: { Message: `urgent ${canary}` } });
  await store.claimEscalations(now(), 0);
  await keep({ heldUntil: now() });
  await keep({ urgent: true });
}

describe.each(['to PostgreSQL', 'to SQLite'] as const)('a move %s', (way) => {
  test('brings everything as it stands, and leaves no word behind', async () => {
    const { inOld, inNew, move, dataDir, url } = await prepare(way);
    await inOld(keepOneOfEach);
    const before = comparable(await inOld(everythingIn));
    expect(before).toHaveLength(6);
    const counted = await inOld(figuresIn);
    expect(counted.delivered).toHaveLength(1);
    const moved = await move();
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect(moved.out).toMatch(/^6 moved to .*is empty now\.\nNow .*DATABASE_URL/);
    expect(comparable(await inNew(everythingIn))).toEqual(before);
    expect(await inNew(figuresIn)).toEqual(counted);
    expect((await inOld(everythingIn)).size).toBe(0);
    expect(await inOld((store) => store.readCounts())).toEqual([]);
    if (way === 'to PostgreSQL') expect(filesWith(dataDir, canary)).toEqual([]);
    else expect(await tableFilesWith(url, canary)).toEqual([]);
    expect(existsSync(join(dataDir, 'unfinished-move'))).toBe(false);

    await inNew(async (store) => {
      // Two are due that were never tried, one that was, one that is held; and one urgent one was told of before.
      const claim = (which: 'new' | 'retry' | 'held') => store.claimDueDeliveries(now(), 9, 60_000, which);
      const unsent = await claim('new');
      expect([unsent.length, (await claim('retry')).length, (await claim('held')).length]).toEqual([2, 1, 1]);
      // The second of its sender goes out second, though it came in first.
      const isSecond = unsent.map(({ submission }) => JSON.stringify(submission.answers).includes(canary));
      expect(isSecond).toEqual([false, true]);
      expect(await store.claimEscalations(now(), 0)).toHaveLength(1);
    });
    expect((await move()).out).toContain('0 moved');
  });

  test('killed again and again, and with mail sent in between, loses nothing and mails nothing twice', async () => {
    const { inOld, inNew, url, dataDir, move } = await prepare(way);
    const references = new Set<string>();
    await inOld(async (store) => {
      const keep = () => keepSubmission(store, { receivedAt: now() });
      for (const one of await Promise.all(Array.from({ length: 240 }, keep))) references.add(one);
    });
    const mailed: string[] = [];
    const count = {
      description: 'a count',
      send: async ({ name }: { name: string }) => {
        mailed.push(name);
        return { ok: true } as const;
      },
    };
    const deaths: DieAt[] = [
      { call: 'receive', nth: 1, when: 'after' },
      { call: 'receive', nth: 3, when: 'before' },
      { call: 'findReceived', nth: 50, when: 'after' },
      { call: 'empty', nth: 1, when: 'before' },
      { call: 'empty', nth: 1, when: 'after' },
    ];
    for (const dieAt of deaths) {
      await moveAndDie({ toPostgres: way === 'to PostgreSQL', url, dataDir, dieAt });
      // The site goes on with the old one meanwhile. The new one sends nothing of what it has got so far.
      await inOld(async (store) => {
        const claims = await store.claimDueDeliveries(now(), 20, 60_000, 'new');
        for (const claim of claims) {
          mailed.push(claim.submission.reference);
          await store.finishDelivery(claim, now());
        }
        references.add(await keepSubmission(store, { receivedAt: now() }));
      });
      expect(await inNew((store) => store.claimDueDeliveries(now(), 500, 60_000, 'new'))).toEqual([]);
    }
    expect(mailed.length).toBe(80);
    const moved = await move();
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect((await inOld(everythingIn)).size).toBe(0);
    expect(new Set((await inNew(everythingIn)).keys())).toEqual(references);
    await inNew((store) => workerFor(store, count, now).sendDue());
    expect(mailed).toHaveLength(references.size);
    expect(new Set(mailed)).toEqual(references);
    const { received, delivered } = await inNew(figuresIn);
    expect([sum(received), sum(delivered)]).toEqual([references.size, references.size]);
  }, 300_000);

  test('under a server that runs changes nothing, and says so', async () => {
    const { inOld, settings, move } = await prepare(way);
    const reference = await inOld((store) => keepSubmission(store, { receivedAt: now() }));
    const server = await startServer(settings);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    const refused = await move();
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/Stop (the|every) server/);
    expect((await inOld(everythingIn)).has(reference)).toBe(true);
  });
});

test('a server that is started on both after a kill ends the move itself, and mails each once', async () => {
  const { inOld, inNew, url, dataDir } = await prepare('to PostgreSQL');
  await inOld(async (store) => {
    for (let n = 0; n < 8; n++) await keepSubmission(store, { receivedAt: now() });
  });
  const dieAt = { call: 'empty', nth: 1, when: 'before' } as const;
  await moveAndDie({ toPostgres: true, url, dataDir, dieAt });
  const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: url });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  const undelivered = () =>
    inNew(async (store) => (await store.countSubmissions({ undelivered: true })).total);
  await expect.poll(undelivered, { timeout: 60_000 }).toBe(0);
  expect((await inNew(everythingIn)).size).toBe(8);
  await expect.poll(() => inOld(everythingIn).then(({ size }) => size), { timeout: 20_000 }).toBe(0);
  expect(server.lines.filter((line) => line.includes('"event":"delivered"'))).toHaveLength(8);
});

test('a server elsewhere on the PostgreSQL that is to be emptied is seen', async () => {
  const { inOld, settings, move, url } = await prepare('to SQLite');
  await inOld((store) => keepSubmission(store, { receivedAt: now() }));
  const server = await startServer({ DATA_DIR: temporaryFolder(), DATABASE_URL: url });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('Stop every server first.') });
  expect((await inOld(everythingIn)).size).toBe(1);
  expect(existsSync(join(settings.DATA_DIR, 'unfinished-move'))).toBe(false);
});

test('a connection that is about to be gone is waited for, and stops no move', async () => {
  const { inOld, move, url } = await prepare('to SQLite');
  await inOld((store) => keepSubmission(store, { receivedAt: now() }));
  const [leaving, watching] = [new pg.Client(url), new pg.Client(postgres.url)];
  await Promise.all([leaving.connect(), watching.connect()]);
  onTestFinished(() => watching.end());
  const looks = `SELECT FROM pg_stat_activity WHERE application_name = 'awhina move' AND query LIKE '%pg_stat_activity%'`;
  const moving = move();
  await expect.poll(async () => (await watching.query(looks)).rowCount, { interval: 5 }).toBe(1);
  await leaving.end();
  expect(await moving).toMatchObject({ code: 0, err: '' });
});

test('while a move is not ended nothing is erased on request, because there may be two of it', async () => {
  const { inOld, settings, args, url } = await prepare('to PostgreSQL');
  const reference = await inOld(async (store) => {
    const keep = () => keepSubmission(store, { receivedAt: now() });
    await Promise.all(Array.from({ length: 300 }, keep));
    return keepSubmission(store, { receivedAt: now() });
  });
  // The command itself, killed as soon as it has begun.
  const child = spawn(process.execPath, ['src/cli/awhina.ts', ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  const hasBegun = () => client.query('SELECT FROM submissions').then(({ rowCount }) => (rowCount ?? 0) > 0);
  await expect.poll(() => hasBegun().catch(() => false), { timeout: 60_000, interval: 5 }).toBe(true);
  child.kill('SIGKILL');
  await ended;
  const erase = () => awhinaShared(['erase', reference, '--yes'], settings);
  expect(await erase()).toMatchObject({
    code: 1,
    err: expect.stringContaining('Run awhina move again first.'),
  });
  expect(await awhinaShared(args, settings)).toMatchObject({ code: 0 });
  expect(await awhinaShared(['erase', reference, '--yes'], { ...settings, DATABASE_URL: url })).toMatchObject(
    {
      code: 0,
    },
  );
});

/** Of this database; another test's is in a folder of its own. */
async function tableFilesWith(url: string, word: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('CHECKPOINT');
  const { rows } = await client.query('SELECT oid FROM pg_database WHERE datname = current_database()');
  await client.end();
  return filesWith(join(postgres.folder, 'base', String(rows[0].oid)), word);
}

async function moveAndDie(options: MoveAndDie): Promise<void> {
  const child = spawn(process.execPath, ['test/support/move-and-die.ts', JSON.stringify(options)]);
  const [said, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (signal !== 'SIGKILL') throw new Error(`It was not killed: ${said}`);
}

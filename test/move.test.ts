import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../src/server/submissions/postgres/postgres-store.ts';
import { openSqliteStore } from '../src/server/submissions/sqlite/sqlite-store.ts';
import type { StoredSubmission } from '../src/server/submissions/stored-submission.ts';
import type { Store } from '../src/server/submissions/submission-store.ts';
import { awhina } from './support/command.ts';
import { workerFor } from './support/delivery.ts';
import { filesWith } from './support/find-in-files.ts';
import { keepSubmission } from './support/kept-submissions.ts';
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

/** Without what each database has for itself. */
const comparable = (all: Map<string, StoredSubmission>) =>
  [...all.values()]
    .map(({ id: _id, delivery: { nextAttemptAt: _at, ...delivery }, ...rest }) => ({ ...rest, delivery }))
    .toSorted((a, b) => a.reference.localeCompare(b.reference));

/** One in each state that a delivery can be in. */
async function keepOneOfEach(store: Store): Promise<void> {
  const claimOne = async () => (await store.claimDueDeliveries(now(), 1, 60_000, 'never'))[0];
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
  await keep({ urgent: true, answers: { Message: `urgent ${canary}` } });
  await store.claimEscalations(now(), 0);
  await keep({ heldUntil: now() });
  await keep({ urgent: true });
}

describe.each(['to PostgreSQL', 'to SQLite'] as const)('a move %s', (way) => {
  test('brings everything as it stands, and leaves no word behind', async () => {
    const { inOld, inNew, move, dataDir } = await prepare(way);
    await inOld(keepOneOfEach);
    const before = comparable(await inOld(everythingIn));
    expect(before).toHaveLength(6);
    const moved = await move();
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect(moved.out).toMatch(/^6 moved to .*is empty now\.\nNow .*DATABASE_URL/);
    expect(comparable(await inNew(everythingIn))).toEqual(before);
    expect((await inOld(everythingIn)).size).toBe(0);
    if (way === 'to PostgreSQL') expect(filesWith(dataDir, canary)).toEqual([]);
    else expect(existsSync(join(dataDir, 'unfinished-move'))).toBe(false);

    await inNew(async (store) => {
      // Two are due that were never tried, one that was, one that is held; and one urgent one was told of before.
      const due = async (which: 'never' | 'before' | 'held') =>
        (await store.claimDueDeliveries(now(), 9, 60_000, which)).length;
      expect([await due('never'), await due('before'), await due('held')]).toEqual([2, 1, 1]);
      expect(await store.claimEscalations(now(), 0)).toHaveLength(1);
    });
    expect((await move()).out).toContain('0 moved');
  });

  test('killed again and again, and with mail sent in between, loses nothing and mails nothing twice', async () => {
    const { inOld, inNew, settings, args, url, dataDir, move } = await prepare(way);
    const references = new Set<string>();
    await inOld(async (store) => {
      for (let n = 0; n < 400; n++) references.add(await keepSubmission(store, { receivedAt: now() }));
    });
    const mailed: string[] = [];
    const count = {
      description: 'a count',
      send: async ({ name }: { name: string }) => {
        mailed.push(name);
        return { ok: true } as const;
      },
    };
    const mailSome = (store: Store) => workerFor(store, count, now, { batch: 20 } as never).sendDue();

    for (const atLeast of [30, 150, 300]) {
      await killWhen(args, settings, () => movedSoFar(way, url, dataDir).then((n) => n >= atLeast));
      // The site goes on with the old one meanwhile; the new one must not send what it has got so far.
      await inOld(async (store) => {
        const claims = await store.claimDueDeliveries(now(), 20, 60_000, 'never');
        for (const claim of claims) {
          mailed.push(claim.submission.reference);
          await store.finishDelivery(claim, now());
        }
      });
      expect(await inNew((store) => store.claimDueDeliveries(now(), 500, 60_000, 'never'))).toEqual([]);
      references.add(await inOld((store) => keepSubmission(store, { receivedAt: now() })));
    }
    const moved = await move();
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect((await inOld(everythingIn)).size).toBe(0);
    expect(new Set((await inNew(everythingIn)).keys())).toEqual(references);
    await inNew(mailSome);
    await expect.poll(() => inNew((store) => store.summariseUndelivered())).toEqual([]);
    expect(mailed).toHaveLength(references.size);
    expect(new Set(mailed)).toEqual(references);
  });

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

test('a server elsewhere on the PostgreSQL that is to be emptied is seen', async () => {
  const { inOld, settings, move, url } = await prepare('to SQLite');
  await inOld((store) => keepSubmission(store, { receivedAt: now() }));
  const server = await startServer({ DATA_DIR: temporaryFolder(), DATABASE_URL: url });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('Stop every server first.') });
  expect((await inOld(everythingIn)).size).toBe(1);
  expect(existsSync(join(settings.DATA_DIR, 'unfinished-move'))).toBe(false);
});

test('while a move is not ended nothing is erased on request, because there may be two of it', async () => {
  const { inOld, settings, args, url, dataDir } = await prepare('to PostgreSQL');
  const reference = await inOld(async (store) => {
    for (let n = 0; n < 150; n++) await keepSubmission(store, { receivedAt: now() });
    return keepSubmission(store, { receivedAt: now() });
  });
  await killWhen(args, settings, () => movedSoFar('to PostgreSQL', url, dataDir).then((n) => n > 0));
  const refused = await awhina(['erase', reference, '--yes'], settings);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Run awhina move again first.') });
});

test('used wrongly, it says how it is used', async () => {
  const settings = { DATA_DIR: temporaryFolder() };
  for (const args of [
    ['move'],
    ['move', '--to', 'mysql://x'],
    ['move', '--to', 'sqlite'],
    ['move', '--to', 'postgres'],
  ])
    expect((await awhina(args, settings)).code).toBe(2);
  const nowhere = await awhina(['move', '--to', 'postgres://127.0.0.1:1/none'], settings);
  expect(nowhere).toMatchObject({ code: 1, err: expect.stringContaining('nothing to move') });
});

async function movedSoFar(way: string, url: string, dataDir: string): Promise<number> {
  // Nobody can look into a file that somebody has for themselves; but its log grows.
  if (way === 'to SQLite')
    return (statSync(join(dataDir, 'awhina.sqlite-wal'), { throwIfNoEntry: false })?.size ?? 0) / 4_096;
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client
    .query(`SELECT count(*) AS n FROM submissions`)
    .catch(() => ({ rows: [{ n: 0 }] }));
  await client.end();
  return Number(rows[0].n);
}

async function killWhen(args: string[], env: object, isTime: () => Promise<boolean>): Promise<void> {
  const child = spawn(process.execPath, ['src/cli/awhina.ts', ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await isTime())) await setImmediate();
  child.kill('SIGKILL');
  await ended;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../src/server/store/contract/store.ts';
import type { StoredSubmission } from '../src/server/store/contract/submission.ts';
import { awhina } from './support/command.ts';
import { everythingIn, figuresIn, prepareMove } from './support/database-move.ts';
import { administer, databaseFolder } from './support/databases.ts';
import { filesWith } from './support/find-in-files.ts';
import { startServer } from './support/server.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

const now = () => new Date();
const canary = 'Kanariwhero7Q';

/** Without what each database has for itself. */
const comparable = (all: Map<string, StoredSubmission>) =>
  [...all.values()]
    .map(({ id: _id, delivery: { nextAttemptAt: _at, ...delivery }, ...rest }) => ({ ...rest, delivery }))
    .toSorted((a, b) => a.reference.localeCompare(b.reference));

/** One in each state that a delivery can be in. */
async function keepOneOfEach(store: Store): Promise<void> {
  const claimOne = async () => (await store.claimDueDeliveries(now(), 1, 60_000, 'new'))[0];
  const keep = (changes = {}) => storeSubmission(store, { receivedAt: now(), ...changes });
  await keep({ answers: { Message: `delivered ${canary}` } });
  const delivered = await claimOne();
  if (delivered) await store.finishDelivery(delivered, now());
  await keep({ form: 'contact' });
  const parked = await claimOne();
  if (parked) await store.parkDelivery(parked, now(), 'SMTP 550 at DATA');
  await keep({ verdict: { kind: 'low-score', score: 0.1 } });
  const later = await claimOne();
  if (later) await store.postponeDelivery(later, now(), 'ETIMEDOUT at CONN');
  const escalated = await keep({
    urgent: true,
    rank: 2,
    language: 'sm',
    answers: { Message: `urgent ${canary}` },
  });
  await store.recordEscalated([escalated], now());
  await keep({ heldUntil: now() });
  await keep({ urgent: true });
}

describe.each(['to PostgreSQL', 'to SQLite'] as const)('a move %s', (way) => {
  test('transfers everything with its state, and leaves no answer in the old database', async () => {
    const { inOld, inNew, move, dataDir, url, args, settings } = await prepareMove(way);
    await inOld(keepOneOfEach);
    const before = comparable(await inOld(everythingIn));
    expect(before).toHaveLength(6);
    expect(before.flatMap(({ language }) => language ?? [])).toEqual(['sm']);
    const counted = await inOld(figuresIn);
    expect([counted.delivered.length, counted.languages.length]).toEqual([1, 1]);
    const moved = await move();
    expect(moved).toMatchObject({ code: 0, err: '' });
    expect(moved.out).toMatch(/^6 moved to .*is empty now\.\nNow .*DATABASE_URL/);
    expect(comparable(await inNew(everythingIn))).toEqual(before);
    expect(await inNew(figuresIn)).toEqual(counted);
    expect((await inOld(everythingIn)).size).toBe(0);
    expect(await inOld((store) => store.readCounts())).toEqual([]);
    if (way === 'to PostgreSQL') expect(filesWith(dataDir, canary)).toEqual([]);
    else expect(await filesWith(await databaseFolder(url), canary)).toEqual([]);
    expect(existsSync(join(dataDir, 'unfinished-move'))).toBe(false);

    await inNew(async (store) => {
      // Two are due that were never tried, one that was, one that is held; and one urgent one was told of before.
      const claim = (which: 'new' | 'retry' | 'held') => store.claimDueDeliveries(now(), 9, 60_000, which);
      const unsent = await claim('new');
      expect([unsent.length, (await claim('retry')).length, (await claim('held')).length]).toEqual([2, 1, 1]);
      // The second of its sender goes out second, though it came in first.
      const isSecond = unsent.map(({ submission }) => JSON.stringify(submission.answers).includes(canary));
      expect(isSecond).toEqual([false, true]);
      expect(await store.listEscalations(now(), 0, 9)).toMatchObject({ count: 1 });
    });
    // In a process of its own, which ends by itself.
    expect(await awhina(args, settings)).toMatchObject({ code: 0, out: expect.stringContaining('0 moved') });
  });

  test('beside a running server is refused, and changes nothing', async () => {
    const { inOld, settings, move } = await prepareMove(way);
    const reference = await inOld((store) => storeSubmission(store, { receivedAt: now() }));
    const server = await startServer(settings);
    onTestFinished(async () => void (await server.end('SIGKILL')));
    const refused = await move();
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/Stop (the|every) server/);
    expect((await inOld(everythingIn)).has(reference)).toBe(true);
  });
});

test('a move that would empty a PostgreSQL used by a server elsewhere is refused', async () => {
  const { inOld, settings, move, url } = await prepareMove('to SQLite');
  await inOld((store) => storeSubmission(store, { receivedAt: now() }));
  const server = await startServer({ DATA_DIR: temporaryFolder(), DATABASE_URL: url });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  // A request that is just being mailed is another reason to refuse.
  await expect.poll(() => server.lines.join('\n')).toContain('"event":"mail accepted"');
  expect(await move()).toMatchObject({ code: 1, err: expect.stringContaining('Stop every server first.') });
  expect((await inOld(everythingIn)).size).toBe(1);
  expect(existsSync(join(settings.DATA_DIR, 'unfinished-move'))).toBe(false);
});

test('a move waits for a connection that is closing', async () => {
  const { inOld, move, url } = await prepareMove('to SQLite');
  await inOld((store) => storeSubmission(store, { receivedAt: now() }));
  const leaving = new pg.Client(url);
  await leaving.connect();
  const looks = `SELECT FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'
    AND application_name = 'awhina move' AND query LIKE '%pg_stat_activity%'`;
  const moving = move();
  await expect.poll(async () => (await administer(looks)).rowCount, { interval: 5 }).toBe(1);
  await leaving.end();
  expect(await moving).toMatchObject({ code: 0, err: '' });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { awhinaShared } from './support/command.ts';
import { everythingIn, figuresIn, moveAndDie, prepareMove } from './support/database-move.ts';
import { workerFor } from './support/delivery.ts';
import type { DieAt } from './support/move-and-die.ts';
import { startServer } from './support/server.ts';
import { storeSubmission } from './support/stored-submissions.ts';

const now = () => new Date();
const sum = (all: readonly { count: number }[]) => all.reduce((before, { count }) => before + count, 0);

test.each(['to PostgreSQL', 'to SQLite'] as const)(
  'a move %s that is killed again and again, with mail sent in between, loses nothing and mails nothing twice',
  async (way) => {
    const { inOld, inNew, url, dataDir, move } = await prepareMove(way);
    const references = new Set<string>();
    await inOld(async (store) => {
      const keep = () => storeSubmission(store, { receivedAt: now() });
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
        references.add(await storeSubmission(store, { receivedAt: now() }));
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
  },
);

test('a server that is started after a killed move finishes the move, and mails each request once', async () => {
  const { inOld, inNew, url, dataDir } = await prepareMove('to PostgreSQL');
  await inOld(async (store) => {
    for (let n = 0; n < 8; n++) await storeSubmission(store, { receivedAt: now() });
  });
  const dieAt = { call: 'empty', nth: 1, when: 'before' } as const;
  await moveAndDie({ toPostgres: true, url, dataDir, dieAt });
  const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: url });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  const undelivered = () =>
    inNew(async (store) => (await store.countSubmissions({ undelivered: true })).total);
  await expect.poll(undelivered).toBe(0);
  expect((await inNew(everythingIn)).size).toBe(8);
  await expect.poll(() => inOld(everythingIn).then(({ size }) => size)).toBe(0);
  expect(server.lines.filter((line) => line.includes('"event":"mail accepted"'))).toHaveLength(8);
});

test('while a move is unfinished erase is refused, because a request may be in both databases', async () => {
  const { inOld, settings, args, url } = await prepareMove('to PostgreSQL');
  const reference = await inOld(async (store) => {
    const keep = () => storeSubmission(store, { receivedAt: now() });
    await Promise.all(Array.from({ length: 300 }, keep));
    return storeSubmission(store, { receivedAt: now() });
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
  await expect.poll(() => hasBegun().catch(() => false), { interval: 5 }).toBe(true);
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

import { renameSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { kept } from '../../../../test/support/running-server.ts';
import { storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { claimMail } from '../contract/mail-jobs.ts';
import { createSqliteSql } from './sqlite-sql.ts';
import { openSqliteStore, type SqliteStore } from './sqlite-store.ts';
import { createSqliteTransfer } from './sqlite-transfer.ts';

const now = () => new Date();
/** Longer than a page of the database. */
const answers = { Message: 'Sample '.repeat(1_000) };

async function deliverAll(store: SqliteStore) {
  for (;;) {
    const claims = await claimMail(store, now(), 100, 60_000, 'new');
    if (claims.length === 0) return;
    for (const claim of claims) await store.finishDelivery(claim, now());
  }
}

/** A database with these requests, which a server opens before one more request comes in. */
async function prepareStore(count: number, prepare: (store: SqliteStore) => Promise<unknown>) {
  const dataDir = temporaryFolder();
  const before = await openSqliteStore(dataDir);
  await Promise.all(
    Array.from({ length: count }, () => storeSubmission(before, { receivedAt: now(), answers })),
  );
  await prepare(before);
  // The log is written into the database, and is empty then.
  await before.close();
  const reported: unknown[] = [];
  const store = await openSqliteStore(dataDir, { onReplaced: (found) => reported.push(found) });
  onTestFinished(() => store.close());
  const last = await storeSubmission(store, { receivedAt: now() });
  const ask = () => store.countAll().catch(() => {});
  return { dataDir, store, last, reported, ask };
}

async function cutOff(...given: Parameters<typeof prepareStore>) {
  const { dataDir, last, reported, ask } = await prepareStore(...given);
  truncateSync(join(dataDir, 'awhina.sqlite'));
  await ask();
  return { dataDir, last, reported };
}

/** A new database takes the place of the old files, and another process writes to it. */
async function replaceByBusyOne(dataDir: string) {
  renameSync(dataDir, join(temporaryFolder(), 'gone'));
  await (await openSqliteStore(dataDir)).close();
  const other = new DatabaseSync(join(dataDir, 'awhina.sqlite'));
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

test.each([5, 50, 300])(
  'a request that waits is rescued where %i that were mailed can not be read any more',
  async (count) => {
    const { dataDir, last, reported } = await cutOff(count, deliverAll);
    expect(kept(dataDir)).toContain(last);
    expect(reported).toEqual([{ count: 0, isRescued: true }]);
  },
);

test('the newest request is rescued where earlier ones that wait too can not be read, which is no success', async () => {
  const { dataDir, last, reported } = await cutOff(50, async () => {});
  expect(kept(dataDir)).toContain(last);
  expect(reported).toEqual([{ count: null, isRescued: true }]);
});

test('what was mailed and nobody has answered is tried again while the new database takes no write', async () => {
  const { dataDir, store, reported, ask } = await prepareStore(3, async () => {});
  await deliverAll(store);
  const release = await replaceByBusyOne(dataDir);
  await ask();
  expect(reported).toEqual([{ count: 0, isRescued: false }]);
  release();
  await ask();
  expect(kept(dataDir)).toHaveLength(4);
  expect(reported.at(-1)).toEqual({ count: 0, isRescued: true });
});

test('a second try reads as much of a database that was cut off as the first', async () => {
  const { dataDir, store } = await prepareStore(1_500, async () => {});
  // Enough for a new page of the index: the log then has the way to it.
  const add = () => storeSubmission(store, { receivedAt: now() });
  await Promise.all(Array.from({ length: 100 }, add));
  const path = join(dataDir, 'awhina.sqlite');
  using db = new DatabaseSync(path);
  const { findUndelivered } = createSqliteTransfer(db, createSqliteSql(db));
  truncateSync(path);
  const first = findUndelivered();
  expect(first).toMatchObject({ ids: expect.arrayContaining([1_601]), isWhole: false });
  expect(findUndelivered()).toEqual(first);
});

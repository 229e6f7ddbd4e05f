import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { kept } from '../../../../test/support/bad-day.ts';
import { storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { openSqliteStore, type SqliteStore } from './sqlite-store.ts';

const now = () => new Date();
/** Longer than a page of the database. */
const answers = { Message: 'Sample '.repeat(1_000) };

async function deliverAll(store: SqliteStore) {
  for (;;) {
    const claims = await store.claimDueDeliveries(now(), 100, 60_000, 'new');
    if (claims.length === 0) return;
    for (const claim of claims) await store.finishDelivery(claim, now());
  }
}

/** A database with these requests, which is cut off after one more request came in. */
async function cutOff(count: number, prepare: (store: SqliteStore) => Promise<unknown>) {
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
  truncateSync(join(dataDir, 'awhina.sqlite'));
  await store.countAll().catch(() => {});
  return { dataDir, last, reported };
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

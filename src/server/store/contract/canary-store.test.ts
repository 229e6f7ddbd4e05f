import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../../test/support/each-store.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { copyDatabase, countUndelivered, readDatabase } from '../transfer/database-copy.ts';
import { readSnapshot } from '../transfer/postgres-snapshot.ts';
import { claimMail, parkMail } from './mail-jobs.ts';

/** Both databases: the site's own request is in no answer but those it is asked for by. */
describe.each(eachStore())('%s', (_name, kind) => {
  async function prepare() {
    const opened = await kind.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const clock = createClock(new Date().toISOString());
    const receivedAt = clock.now();
    const persons = await storeSubmission(store, { receivedAt });
    const canary = await storeSubmission(store, { receivedAt, canary: true });
    return { opened, store, clock, persons, canary };
  }
  const minutes = 60_000;

  test('the canary is in no list, count or export, and is not found by its reference', async () => {
    const { store, persons, canary } = await prepare();
    const listed: string[] = [];
    for await (const one of store.iterateSubmissions({})) listed.push(one.reference);
    expect(listed).toEqual([persons]);
    const undelivered: string[] = [];
    for await (const one of store.iterateSubmissions({ undelivered: true })) undelivered.push(one.reference);
    expect(undelivered).toEqual([persons]);
    expect(await store.countSubmissions({})).toEqual({ total: 1, sealed: 0 });
    expect(await store.findSubmission(canary)).toBeNull();
    expect(await store.findSubmission(persons)).not.toBeNull();
    const { received } = await store.readFigures('2000-01-01', '2099-12-31');
    expect(received.map(({ count }) => count)).toEqual([1]);
  });

  test('the canary is never reported as undelivered, however long it waits and whatever becomes of its mail', async () => {
    const { store, clock, persons, canary } = await prepare();
    const claims = await claimMail(store, clock.now(), 10, minutes, 'new');
    expect(claims.map(({ submission }) => [submission.reference, submission.canary])).toEqual([
      [persons, false],
      [canary, true],
    ]);
    for (const claim of claims) await parkMail(store, claim, clock.now(), 'SMTP 550 at RCPT');
    expect(await store.summariseUndelivered()).toEqual([
      { form: 'help', waiting: 0, held: 0, oldestReceivedAt: null, parked: 1 },
    ]);
    expect(await store.retryDeliveries('all', clock.now())).toEqual([persons]);
    expect(await store.retryDeliveries({ reference: canary }, clock.now())).toEqual([]);
    expect(await store.findCanary(canary)).toMatchObject({ lastError: 'SMTP 550 at RCPT' });
  });

  test('a delivered canary is counted nowhere, and is not retained as requests are', async () => {
    const { store, clock, persons, canary } = await prepare();
    for (const claim of await claimMail(store, clock.now(), 10, minutes, 'new'))
      await store.finishDelivery(claim, clock.now());
    const { delivered } = await store.readFigures('2000-01-01', '2099-12-31');
    expect(delivered.map(({ count }) => count)).toEqual([1]);
    const until = { until: clock.now(), untouchedSince: clock.now() };
    expect(await store.listExpired({ rule: 'delivered', ...until }, 10)).toEqual([persons]);
    expect(await store.listExpired({ rule: 'unseen', ...until }, 10)).toEqual([persons]);
    expect((await store.findCanary(canary))?.deliveredAt).not.toBeNull();
  });

  test('a person’s request is no canary, and no erasing of canaries takes it', async () => {
    const { store, clock, persons, canary } = await prepare();
    expect(await store.findCanary(persons)).toBeNull();
    expect(await store.eraseCanaries({ before: clock.now(), now: clock.now() })).toBe(0);
    clock.advance(61 * minutes);
    const before = new Date(clock.now().getTime() - 60 * minutes);
    expect(await store.eraseCanaries({ before, now: clock.now() })).toBe(1);
    expect(await store.findCanary(canary)).toBeNull();
    expect(await store.eraseCanaries('all')).toBe(0);
    expect(await store.findSubmission(persons)).not.toBeNull();
  });

  test('a canary that a wrong clock received in the future is erased now', async () => {
    const { store, clock } = await prepare();
    const receivedAt = new Date(clock.now().getTime() + 48 * 60 * minutes);
    const ahead = await storeSubmission(store, { receivedAt, canary: true });
    expect(await store.findCanary(ahead)).not.toBeNull();
    await store.eraseCanaries({ before: new Date(clock.now().getTime() - 60 * minutes), now: clock.now() });
    expect(await store.findCanary(ahead)).toBeNull();
  });
});

test('no backup contains the canary', async () => {
  for (const [, kind] of eachStore()) {
    const { store, dataDir, environment } = await kind.open();
    const persons = await storeSubmission(store, { receivedAt: new Date() });
    await storeSubmission(store, { receivedAt: new Date(), canary: true });
    const backedUp = [];
    if (environment.DATABASE_URL) {
      for await (const rows of readSnapshot(environment.DATABASE_URL, () => {})) backedUp.push(...rows);
    } else {
      const { path, tally } = await copyDatabase(dataDir, () => {});
      expect(tally).toEqual({ requests: 1, undelivered: 1 });
      expect(countUndelivered(path)).toBe(1);
      const folder = temporaryFolder();
      renameSync(path, join(folder, 'awhina.sqlite'));
      for await (const rows of readDatabase(folder, () => {})) backedUp.push(...rows);
    }
    expect(backedUp.map(({ reference }) => reference)).toEqual([persons]);
    await store.close();
  }
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore, sqlite } from '../../../test/support/each-store.ts';
import { createMachine } from '../../../test/support/erasing-machine.ts';
import { prepareFallback } from '../../../test/support/fallback.ts';
import { storeSubmission } from '../../../test/support/stored-submissions.ts';
import { claimMail } from '../store/contract/mail-jobs.ts';
import { databasePath } from '../store/sqlite/database-file.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe.each(eachStore())('after the clock has jumped, on %s,', (_name, { open }) => {
  async function prepare() {
    const { store, close } = await open();
    onTestFinished(close);
    const machine = createMachine(store);
    const eraseExpired = machine.startServer();
    const [unseen, seen] = [
      await storeSubmission(store, { receivedAt: machine.now() }),
      await storeSubmission(store, { receivedAt: machine.now() }),
    ];
    await store.recordStep(seen, 'answered', 'AB', machine.now());
    expect(await eraseExpired()).toMatchObject({ count: 0, clockFault: null });
    const isStored = async (reference: string) => (await store.findSubmission(reference)) !== null;
    return { store, machine, eraseExpired, unseen, seen, isStored };
  }

  test('what somebody saw is erased after a day, and what nobody saw only once somebody trusts the clock', async () => {
    const { store, machine, eraseExpired, unseen, seen, isStored } = await prepare();
    machine.set(300);
    expect(await eraseExpired()).toMatchObject({ count: 0, clockFault: 'ahead' });
    machine.pass(23 * hour);
    expect(await eraseExpired()).toMatchObject({ count: 0, clockFault: 'ahead' });
    machine.pass(hour);
    expect(await eraseExpired()).toMatchObject({ count: 1, unseen: 0, clockFault: 'jumped' });
    expect([await isStored(seen), await isStored(unseen)]).toEqual([false, true]);
    machine.pass(hour);
    expect(await eraseExpired()).toMatchObject({ count: 0, clockFault: 'jumped' });
    for (const restart of [machine.startServer(), machine.startServer()]) {
      machine.pass(2 * day);
      expect(await restart()).toMatchObject({ count: 0, clockFault: 'jumped' });
    }
    expect(await isStored(unseen)).toBe(true);

    // Nobody was warned of it while the clock was in doubt: two weeks of warnings come first.
    expect(await machine.purge()).toMatchObject({ count: 0, clockFault: null });
    await machine.passDays(13, eraseExpired);
    expect(await isStored(unseen)).toBe(true);
    machine.pass(day);
    expect(await eraseExpired()).toMatchObject({ count: 1, unseen: 1, clockFault: null });
    expect(await store.listLosses()).toMatchObject([{ count: 1 }]);
  });

  test('and was corrected, all is as before', async () => {
    const { machine, eraseExpired, unseen, isStored } = await prepare();
    machine.set(300);
    expect(await eraseExpired()).toMatchObject({ clockFault: 'ahead' });
    machine.pass(25 * hour);
    expect(await eraseExpired()).toMatchObject({ clockFault: 'jumped' });
    machine.set(-300);
    // For a day it is behind, by what that server has stored.
    expect(await eraseExpired()).toMatchObject({ clockFault: 'behind' });
    machine.pass(25 * hour);
    expect(await eraseExpired()).toMatchObject({ clockFault: null });
    expect(await isStored(unseen)).toBe(true);
    for (let passed = 0; passed < 90; passed += 5) {
      machine.pass(5 * day);
      await eraseExpired();
    }
    expect(await isStored(unseen)).toBe(false);
  });
});

test('what was withdrawn is erased after seven days, once staff were told, and is no loss', async () => {
  const { store, close } = await sqlite.open();
  onTestFinished(close);
  const machine = createMachine(store);
  const eraseExpired = machine.startServer();
  const reference = await storeSubmission(store, { receivedAt: machine.now() });
  const untold = await storeSubmission(store, { receivedAt: machine.now() });
  for (const claim of await claimMail(store, machine.now(), 9, hour / 60, 'new'))
    await store.finishDelivery(claim, machine.now());
  for (const one of [reference, untold]) await store.recordStep(one, 'withdrawn', 'AB', machine.now());
  const which = {
    kinds: ['changed'],
    keys: [`changed:${reference}`],
    limit: 1,
    leaseMs: hour / 60,
    longestMs: day,
  };
  for (const claim of await store.claimJobs(which, machine.now())) await store.completeJob(claim);
  await machine.passDays(6, eraseExpired);
  expect(await store.findSubmission(reference)).not.toBeNull();
  machine.pass(day);
  expect(await eraseExpired()).toMatchObject({ count: 1, unseen: 0 });
  expect(await store.findSubmission(reference)).toBeNull();
  expect(await store.findSubmission(untold)).not.toBeNull();
  expect(await store.listLosses()).toEqual([]);
});

test('what is over the limit at an upgrade, or lies unread in the folder of mails, stays for two weeks of warnings', async () => {
  const { store, dataDir, close } = await sqlite.open();
  onTestFinished(close);
  const machine = createMachine(store, dataDir);
  const [old, unread] = [
    await storeSubmission(store, { receivedAt: new Date(machine.now().getTime() - 200 * day) }),
    await storeSubmission(store, { receivedAt: new Date(machine.now().getTime() - 80 * day) }),
  ];
  // The version before erased until now.
  await store.recordErasing(machine.now());
  using db = new DatabaseSync(databasePath(dataDir));
  // As migration 012 did with all that was delivered.
  db.prepare('UPDATE submissions SET accepted_at = ?, answered_at = ?').run(
    ...([40, 40].map((days) => new Date(machine.now().getTime() - days * day).toISOString()) as [
      string,
      string,
    ]),
  );
  db.exec(`UPDATE submissions SET answered_at = NULL WHERE id = 1`);
  mkdirSync(join(dataDir, 'mail'));
  writeFileSync(join(dataDir, 'mail', `${unread}.eml`), 'A mail');
  const eraseExpired = machine.startServer();
  for (let passed = 0; passed < 13; passed++) {
    expect(await eraseExpired()).toMatchObject({ count: 0 });
    machine.pass(day);
  }
  expect((await store.listOpen(10)).map(({ reference }) => reference)).toEqual([old, unread]);
  machine.pass(day);
  expect(await eraseExpired()).toMatchObject({ count: 2, unseen: 2 });
});

test('what waits in the fallback is erased and counted once it is transferred, and is counted once', async () => {
  const { store, fallback, database } = await prepareFallback();
  await store.check();
  const machine = createMachine(store);
  database.mode = 'away';
  const reference = await storeSubmission(store, { receivedAt: machine.now() });
  expect(await fallback.countAll()).toBe(1);
  database.mode = 'there';
  await store.check();
  const eraseExpired = machine.startServer();
  expect(await eraseExpired()).toMatchObject({ count: 0 });
  for (let passed = 0; passed < 90; passed += 6) {
    machine.pass(6 * day);
    expect(await eraseExpired()).toMatchObject({ count: 0, clockFault: null });
  }
  await store.transfer();
  expect(await fallback.countAll()).toBe(0);
  machine.pass(hour);
  expect(await eraseExpired()).toMatchObject({ count: 1, unseen: 1 });
  expect(await store.findSubmission(reference)).toBeNull();
  expect(await store.listLosses()).toMatchObject([{ form: 'help', count: 1 }]);
  expect(await fallback.listLosses()).toEqual([]);
});

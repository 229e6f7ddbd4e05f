import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sqlite } from '../../../test/support/each-store.ts';
import { createMachine } from '../../../test/support/erasing-machine.ts';
import { storeSubmission } from '../../../test/support/stored-submissions.ts';
import { claimMail } from '../store/contract/mail-jobs.ts';

const hour = 3_600_000;

/** What is not erased yet, although it seems to have expired. */
describe('what is spared', () => {
  async function prepare() {
    const { store, close } = await sqlite.open();
    onTestFinished(close);
    const machine = createMachine(store);
    const eraseExpired = machine.startServer();
    await machine.passDays(20, eraseExpired);
    const receive = () => storeSubmission(store, { receivedAt: machine.now() });
    const isStored = async (reference: string) => (await store.findSubmission(reference)) !== null;
    const unseen = async () => {
      const open = await store.outlineOpen(10, ['help']);
      return open.filter(({ seenAt }) => seenAt === null).map(({ reference }) => reference);
    };
    return { store, machine, eraseExpired, receive, isStored, unseen };
  }

  test('what came in while the clock was behind stays for 30 days, and is erased then', async () => {
    const { machine, receive, isStored } = await prepare();
    machine.set(-200);
    const reference = await receive();
    machine.set(200);
    const eraseExpired = machine.startServer();
    machine.pass(hour);
    expect(await eraseExpired()).toMatchObject({ count: 0, clockFault: null });
    await machine.passDays(29, eraseExpired);
    expect(await isStored(reference)).toBe(true);
    await machine.passDays(1, eraseExpired);
    expect(await isStored(reference)).toBe(false);
  });

  test('what somebody took while the clock was behind stays for 30 days', async () => {
    const { store, machine, eraseExpired, receive, isStored } = await prepare();
    const [taken, answered, read] = [await receive(), await receive(), await receive()];
    machine.set(-60);
    await store.recordStep(taken, 'taken', 'AB', machine.now());
    await store.recordStep(answered, 'answered', 'AB', machine.now());
    await store.recordRead([read], machine.now());
    machine.set(60);
    await machine.passDays(29, eraseExpired);
    for (const reference of [taken, answered, read]) expect(await isStored(reference)).toBe(true);
    await machine.passDays(2, eraseExpired);
    for (const reference of [taken, answered, read]) expect(await isStored(reference)).toBe(false);
  });

  test('an answer that was undone is kept for 30 days from then on', async () => {
    const { store, machine, eraseExpired, receive, isStored } = await prepare();
    const reference = await receive();
    await store.recordStep(reference, 'taken', 'AB', machine.now());
    await machine.passDays(27, eraseExpired);
    await store.recordStep(reference, 'answered', 'AB', machine.now());
    await machine.passDays(6, eraseExpired);
    await store.undoStep(reference, 'answered', machine.now());
    await machine.passDays(29, eraseExpired);
    expect(await isStored(reference)).toBe(true);
    await machine.passDays(2, eraseExpired);
    expect(await isStored(reference)).toBe(false);
  });

  test('a request that was taken by mistake is unseen again after the undo, and is never erased at once', async () => {
    const { store, machine, eraseExpired, receive, isStored, unseen } = await prepare();
    const reference = await receive();
    await machine.passDays(85, eraseExpired);
    await store.recordStep(reference, 'taken', 'AB', machine.now());
    expect(await unseen()).toEqual([]);
    await machine.passDays(10, eraseExpired);
    await store.undoStep(reference, 'taken', machine.now());
    expect(await unseen()).toEqual([reference]);
    await machine.passDays(29, eraseExpired);
    expect(await isStored(reference)).toBe(true);
    await machine.passDays(2, eraseExpired);
    expect(await isStored(reference)).toBe(false);
    expect(await store.listLosses()).toMatchObject([{ count: 1 }]);
  });

  test('what nobody was warned of, because the machine was off for weeks, stays for two more', async () => {
    const { machine, eraseExpired, receive, isStored } = await prepare();
    const reference = await receive();
    await machine.passDays(60, eraseExpired);
    machine.set(40);
    expect(await machine.startServer()()).toMatchObject({ count: 0, clockFault: 'ahead' });
    expect(await machine.purge()).toMatchObject({ count: 0, clockFault: null });
    await machine.passDays(13, machine.startServer());
    expect(await isStored(reference)).toBe(true);
    await machine.passDays(1, machine.startServer());
    expect(await isStored(reference)).toBe(false);
  });

  test('REMINDERS=off erases what nobody has seen two weeks later at the earliest, and not while the clock is in doubt', async () => {
    const { store, machine, eraseExpired, receive, isStored } = await prepare();
    const reference = await receive();
    const [claimed] = await claimMail(store, machine.now(), 1, hour / 60, 'new');
    if (claimed) await store.finishDelivery(claimed, machine.now());
    await machine.passDays(31, eraseExpired);
    // Somebody tries the setting, and takes it back.
    await machine.startServer({ unseenRetentionDays: null })();
    await machine.passDays(5, machine.startServer());
    const off = machine.startServer({ unseenRetentionDays: null });
    await machine.passDays(14, off);
    expect(await isStored(reference)).toBe(true);
    machine.set(20);
    await off();
    machine.pass(25 * hour);
    expect(await off()).toMatchObject({ count: 0, clockFault: 'jumped' });
    expect(await isStored(reference)).toBe(true);
    // For a day the clock is behind. Two weeks of warnings begin again.
    machine.set(-20);
    await machine.passDays(14, off);
    expect(await isStored(reference)).toBe(true);
    await machine.passDays(2, off);
    expect(await isStored(reference)).toBe(false);
  });

  test('after a clock that was far ahead, requests are erased when they would have been', async () => {
    const { store, machine, eraseExpired, receive, isStored } = await prepare();
    machine.set(300);
    machine.pass(30 * hour);
    await eraseExpired();
    machine.pass(30 * hour);
    await eraseExpired();
    const [unseen, answered] = [await receive(), await receive()];
    machine.set(-300);
    machine.pass(hour);
    await eraseExpired();
    const alsoUnseen = await receive();
    await store.recordStep(answered, 'answered', 'AB', machine.now());
    await machine.passDays(33, eraseExpired);
    expect(await isStored(answered)).toBe(false);
    await machine.passDays(75, eraseExpired);
    expect([await isStored(unseen), await isStored(alsoUnseen)]).toEqual([false, false]);
  });

  test('what came in by a clock that was far ahead for two hours is erased when it would have been', async () => {
    const { machine, eraseExpired, receive, isStored } = await prepare();
    machine.set(300);
    await eraseExpired();
    const reference = await receive();
    machine.pass(2 * hour);
    expect(await eraseExpired()).toMatchObject({ clockFault: 'ahead' });
    machine.set(-300);
    await machine.passDays(89, eraseExpired);
    expect(await isStored(reference)).toBe(true);
    await machine.passDays(3, eraseExpired);
    expect(await isStored(reference)).toBe(false);
  });

  test('a server whose clock is behind changes no time of another one', async () => {
    const { store, machine } = await prepare();
    const later = new Date(machine.now().getTime() + 5 * hour);
    await store.recordErasing(later);
    await store.recordClockFault(new Date(machine.now().getTime() - hour));
    const reference = await storeSubmission(store, { receivedAt: later });
    await machine.purge();
    expect(await store.findSubmission(reference)).toMatchObject({ receivedAt: later });
  });

  test('a limit that began by a clock that was years ahead begins again once it is right', async () => {
    const { store, machine, receive, isStored } = await prepare();
    machine.set(3 * 365);
    await store.startUnseenLimit(80, machine.now());
    machine.set(-3 * 365);
    const server = machine.startServer({ unseenRetentionDays: 80 });
    const reference = await receive();
    await machine.passDays(82, server);
    expect(await isStored(reference)).toBe(false);
  });

  test('a command with other settings does not begin the two weeks again', async () => {
    const { machine, eraseExpired, receive, isStored } = await prepare();
    const reference = await receive();
    for (let weeks = 0; weeks < 13; weeks++) {
      await machine.passDays(7, eraseExpired);
      await machine.purgeWith({ unseenRetentionDays: 60 });
    }
    expect(await isStored(reference)).toBe(false);
  });
});

test('the copy from before an upgrade goes 30 days later; a damaged database stays as long as what nobody has seen, and while the clock is in doubt', async () => {
  const { store, dataDir, close } = await sqlite.open();
  onTestFinished(close);
  const machine = createMachine(store, dataDir);
  const aside = join(dataDir, 'awhina-aside-1.sqlite');
  const before = join(dataDir, 'awhina-before-13.sqlite');
  for (const path of [aside, before]) {
    writeFileSync(path, 'It may have the only copy of a request');
    utimesSync(path, machine.now(), machine.now());
  }
  const eraseExpired = machine.startServer();
  await machine.passDays(29, eraseExpired);
  expect(existsSync(before)).toBe(true);
  await machine.passDays(2, eraseExpired);
  expect(existsSync(before)).toBe(false);
  await machine.passDays(58, eraseExpired);
  expect(existsSync(aside)).toBe(true);
  machine.set(20);
  await eraseExpired();
  machine.pass(25 * hour);
  expect(await eraseExpired()).toMatchObject({ clockFault: 'jumped' });
  expect(existsSync(aside)).toBe(true);
  await machine.purge();
  expect(existsSync(aside)).toBe(false);
});

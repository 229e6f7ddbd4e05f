import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFolderTransport } from '../src/server/delivery/folder/folder-transport.ts';
import type { Store } from '../src/server/store/contract/store.ts';
import { awhina } from './support/command.ts';
import { sendHeld, workerFor } from './support/delivery.ts';
import { eachStore, sqlite } from './support/each-store.ts';
import { createEraser } from './support/erasing-machine.ts';
import { filesWith } from './support/find-in-files.ts';
import { killedAtStep, killedOnceThere, killedUntilDone, killsEveryStep } from './support/killed-command.ts';
import { storeSubmission } from './support/stored-submissions.ts';

const canary = 'Kanariwhero7Q';
const now = () => new Date();

/** One mail file with three requests in it, of which the second is to be erased; the file has the name of the first. */
async function keepHeldMail(store: Store, dataDir: string) {
  const keep = (answers = {}) => storeSubmission(store, { receivedAt: now(), heldUntil: now(), answers });
  const first = await keep();
  const reference = await keep({ Message: `words ${canary} words` });
  const last = await keep();
  const transport = createFolderTransport(join(dataDir, 'mail'));
  await sendHeld(store, transport, now);
  expect(filesWith(dataDir, canary)).toContain(join(dataDir, 'mail', `held-${first}.eml`));
  const deliver = () => workerFor(store, transport, now).sendDue();
  return { reference, others: [first, last], deliver };
}

/** Nothing of the request is in any file, and the others are mailed without it. */
async function expectErased(
  store: Store,
  dataDir: string,
  { reference, others, deliver }: Awaited<ReturnType<typeof keepHeldMail>>,
) {
  expect(filesWith(dataDir, canary)).toEqual([]);
  expect(await store.findSubmission(reference)).toBeNull();
  expect(globSync('unfinished-*', { cwd: dataDir })).toEqual([]);
  expect(readFileSync(join(dataDir, 'erased.log'), 'utf8')).toContain('one erased on request\n');
  await deliver();
  const mails = others.map((one) => `mail/${one}.eml`).toSorted();
  expect(globSync('mail/**/*.eml', { cwd: dataDir }).toSorted()).toEqual(mails);
}

/** PostgreSQL may still be ending the connection of the one that was killed, whose locks are in the way. */
async function runUntilDone(args: string[], environment: Record<string, string>): Promise<void> {
  let said = '';
  for (let tries = 0; tries < 10; tries++) {
    const { code, err } = await awhina(args, environment);
    if (code === 0 || err.includes('There is no')) return;
    said += err;
  }
  throw new Error(`It was not erased:\n${said}`);
}

describe.each(eachStore())('an erasure on %s that is killed', (name, { open }) => {
  async function prepare() {
    const { store, dataDir, environment, close } = await open();
    onTestFinished(close);
    return { store, dataDir, environment, kept: await keepHeldMail(store, dataDir) };
  }

  // The steps are the same on PostgreSQL, and each kill costs a process.
  test.runIf(killsEveryStep || name === 'SQLite')(
    'a few steps later each time is run again until no file has a word of it',
    async () => {
      const { store, dataDir, environment, kept } = await prepare();
      const done = await killedUntilDone(['erase', kept.reference, '--yes'], environment, 3);
      // The last one may have been killed when all was done.
      expect(done.out + done.err).toMatch(
        new RegExp(`${kept.reference} is erased|There is no ${kept.reference}`),
      );
      expect(done.kills).toBeGreaterThan(2);
      await runUntilDone(['erase', kept.reference, '--yes'], environment);
      await expectErased(store, dataDir, kept);
    },
  );

  test('of what nobody has seen loses no count, and counts nothing twice', { timeout: 900_000 }, async () => {
    const { store, environment, close } = await open();
    onTestFinished(close);
    const receivedAt = new Date(Date.now() - 91 * 24 * 3_600_000);
    const unseen = 120;
    for (let n = 0; n < unseen; n++) await storeSubmission(store, { receivedAt });
    await store.recordErasing(now());
    await store.startUnseenLimit(90, receivedAt);
    const counted = async () => (await store.listLosses()).reduce((sum, { count }) => sum + count, 0);
    const stored = async () => (await store.countSubmissions({})).total;
    let kills = 0;
    // After each kill PostgreSQL takes seconds to end the connection, and it has more steps.
    const stride = name === 'SQLite' ? 9 : 18;
    for (let step = 1; ; step += killsEveryStep ? 1 : stride) {
      const { code } = await killedAtStep(step, ['purge'], environment);
      // PostgreSQL may still be ending what the one that was killed had begun.
      await expect.poll(async () => (await stored()) + (await counted())).toBe(unseen);
      if (code !== null) break;
      kills++;
    }
    expect(kills).toBeGreaterThan(1);
    expect([await stored(), await counted()]).toEqual([0, unseen]);
  });

  test.runIf(killsEveryStep)('once, at any step, is done by the next run', { timeout: 900_000 }, async () => {
    for (let step = 1; ; step++) {
      const { store, dataDir, environment, kept } = await prepare();
      const args = ['erase', kept.reference, '--yes'];
      const killed = await killedAtStep(step, args, environment);
      if (killed.code === null) await runUntilDone(args, environment);
      else expect(killed).toMatchObject({ code: 0, err: '' });
      await expectErased(store, dataDir, kept);
      if (killed.code === null) continue;
      process.stdout.write(`erase on ${name}: ${step - 1} kills\n`);
      return;
    }
  });
});

describe('what a killed erasure left', () => {
  async function prepare() {
    const { store, dataDir, environment, close } = await sqlite.open();
    onTestFinished(close);
    const kept = await keepHeldMail(store, dataDir);
    const runRetention = (isComplete = true) => createEraser(store, dataDir, now, { isComplete })();
    const mark = join(dataDir, `unfinished-erase-${kept.reference}`);
    return { store, dataDir, environment, kept, runRetention, mark };
  }

  test('is erased by the server, which does so at its start and every hour', async () => {
    const { store, dataDir, environment, kept, runRetention, mark } = await prepare();
    const args = ['erase', kept.reference, '--yes'];
    expect(await killedOnceThere(mark, args, environment)).toMatchObject({ code: null });
    // Its next step; without the row only the mark tells that there is a mail.
    await store.eraseOne(kept.reference, now());
    expect(filesWith(join(dataDir, 'mail'), canary)).toHaveLength(1);
    expect(existsSync(mark)).toBe(true);
    // While PostgreSQL is away, nobody can know that the row is gone.
    await runRetention(false);
    expect(existsSync(mark)).toBe(true);
    await runRetention();
    await expectErased(store, dataDir, kept);
  });

  test('is left alone while the command still runs', async () => {
    const { store, dataDir, kept, runRetention, mark } = await prepare();
    // This test's parent runs as long as it does.
    writeFileSync(mark, `${process.ppid} erasing\n`);
    await runRetention();
    expect(await store.findSubmission(kept.reference)).not.toBeNull();
    writeFileSync(mark, '999999999 erasing\n');
    await runRetention();
    await expectErased(store, dataDir, kept);
  });
});

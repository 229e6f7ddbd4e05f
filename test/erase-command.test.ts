import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFolderTransport } from '../src/server/delivery/folder/folder-transport.ts';
import { claimMail } from '../src/server/store/contract/mail-jobs.ts';
import { openPostgresStore } from '../src/server/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhinaShared } from './support/command.ts';
import { prepareCommands } from './support/commands.ts';
import { sendHeld, workerFor } from './support/delivery.ts';
import { eachStore, openStore } from './support/each-store.ts';
import { filesWith } from './support/find-in-files.ts';
import { startPostgres } from './support/postgres.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

const canary = 'Kanariwhero7Q';
const now = () => new Date();
const withCanary = { receivedAt: now(), answers: { Message: `words ${canary} words` } };

describe.each(eachStore())('awhina erase on %s', (_name, kind) => {
  async function prepare() {
    const { store, dataDir, ask } = await prepareCommands(kind);
    const mail = createFolderTransport(join(dataDir, 'mail'));
    const deliver = () => workerFor(store, mail, now).sendDue();
    /** Three requests in one mail, of which the second is to be erased. */
    async function keepTogether() {
      const keep = (answers = {}) => storeSubmission(store, { receivedAt: now(), heldUntil: now(), answers });
      const [first, reference, last] = [await keep(), await keep(withCanary.answers), await keep()];
      await sendHeld(store, mail, now);
      return { first, reference, last };
    }
    return { store, dataDir, deliver, ask, keepTogether };
  }

  test('a request is gone from every file with its mail, the others stay, and a log line says that something was erased', async () => {
    const { store, dataDir, deliver, ask } = await prepare();
    const other = await storeSubmission(store, { receivedAt: now() });
    const reference = await storeSubmission(store, withCanary);
    await deliver();
    expect(existsSync(join(dataDir, 'mail', `${reference}.eml`))).toBe(true);

    expect(await ask('erase', reference.toLowerCase(), '--yes')).toMatchObject({
      code: 0,
      out: `${reference} is erased.\n`,
    });
    expect(await store.findSubmission(reference)).toBeNull();
    expect(await store.findSubmission(other)).not.toBeNull();
    expect(globSync('mail/*', { cwd: dataDir })).toEqual([`mail/${other}.eml`]);
    expect(filesWith(dataDir, canary)).toEqual([]);
    const log = join(dataDir, 'erased.log');
    expect(readFileSync(log, 'utf8')).toMatch(/^\S+Z one erased on request\n$/);
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect((await ask('erase', reference, '--yes')).err).toContain(`There is no ${reference}.`);
  });

  test('without a terminal and without --yes nothing is erased', async () => {
    const { store, ask } = await prepare();
    const reference = await storeSubmission(store, withCanary);
    expect(await ask('erase', reference)).toMatchObject({ code: 2 });
    expect(await store.findSubmission(reference)).not.toBeNull();
  });

  test('a request that is being mailed is not erased until its delivery is settled', async () => {
    const { store, ask } = await prepare();
    const reference = await storeSubmission(store, withCanary);
    const [claim] = await claimMail(store, now(), 1, 60_000, 'new');
    expect(await ask('erase', reference, '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('just being mailed'),
    });
    if (claim) await store.finishDelivery(claim, now());
    expect(await ask('erase', reference, '--yes')).toMatchObject({ code: 0 });
  });

  test('a request that came in a digest is taken out of it, and the others are mailed again', async () => {
    const { dataDir, deliver, ask, keepTogether } = await prepare();
    const { first, reference, last } = await keepTogether();
    expect(globSync('mail/*', { cwd: dataDir })).toHaveLength(1);
    expect(await ask('erase', reference, '--yes')).toMatchObject({ code: 0 });
    await deliver();
    const mails = [first, last].map((one) => `mail/${one}.eml`).toSorted();
    expect(globSync('mail/*', { cwd: dataDir }).toSorted()).toEqual(mails);
    expect(filesWith(dataDir, canary)).toEqual([]);
  });

  test('a request that came in a digest which staff have read is erased with that mail alone', async () => {
    const { store, dataDir, deliver, ask, keepTogether } = await prepare();
    const { first, reference } = await keepTogether();
    expect(await ask('deliveries', 'read', '--all')).toMatchObject({ code: 0 });
    expect(await ask('erase', reference, '--yes')).toMatchObject({ code: 0 });
    await deliver();
    expect(await store.findSubmission(first)).toMatchObject({ delivery: { deliveredAt: expect.any(Date) } });
    expect(globSync('mail/**/*.eml', { cwd: dataDir })).toEqual([]);
    expect(filesWith(dataDir, canary)).toEqual([]);
  });
});

test('on a terminal the command asks first, and warns of a request that nobody has read', async () => {
  const dataDir = temporaryFolder();
  const store = await openStore(dataDir);
  const reference = await storeSubmission(store, withCanary);
  const answer = async (typed: string) => {
    const command = `exec ${process.execPath} src/cli/awhina.ts erase ${reference}`;
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const shown = text(terminal.stdout);
    terminal.stdin.write(`${typed}\n`);
    return { shown: await shown, code: terminal.exitCode };
  };
  const refused = await answer('y');
  expect(refused.shown).toContain('Nobody has shown that they have seen it');
  expect(refused.shown).toContain('Nothing was erased.');
  expect(await store.findSubmission(reference)).not.toBeNull();
  expect((await answer('yes')).shown).toContain(`${reference} is erased.`);
  expect(await store.findSubmission(reference)).toBeNull();
});

test('a copy beside the database is named, and not touched', async () => {
  const dataDir = temporaryFolder();
  const store = await openStore(dataDir);
  const reference = await storeSubmission(store, withCanary);
  await store.scrub();
  const copy = join(dataDir, 'awhina-aside-1.sqlite');
  copyFileSync(join(dataDir, 'awhina.sqlite'), copy);
  const { code, err } = await awhinaShared(['erase', reference, '--yes'], { DATA_DIR: dataDir });
  expect(code).toBe(0);
  expect(err).toContain(`${copy} still holds a copy.`);
  expect(filesWith(dataDir, canary)).toEqual([copy]);
});

test('a request that is in PostgreSQL and in the fallback is erased from both', async () => {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase();
  const dataDir = temporaryFolder();
  const fallback = await openSqliteStore(dataDir);
  const database = await openPostgresStore(url, () => {});
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(async () => {
    await Promise.all([fallback.close(), database.close()]);
    await postgres.remove();
  });
  const reference = await storeSubmission(fallback, withCanary);
  // As a kill between taking over and dropping leaves it.
  await database.importRows(await fallback.claimForTransfer(now(), 10, now()));
  const settings = { DATA_DIR: dataDir, DATABASE_URL: url };
  expect(await awhinaShared(['erase', reference, '--yes'], settings)).toMatchObject({ code: 0 });
  expect(await fallback.findSubmission(reference)).toBeNull();
  expect(await database.findSubmission(reference)).toBeNull();
  await client.query('CHECKPOINT');
  await client.end();
  // Reading the file in this process would drop the locks of the store's thread (POSIX).
  await fallback.close();
  expect(filesWith(dataDir, canary)).toEqual([]);
  expect(filesWith(join(postgres.folder, 'base'), canary)).toEqual([]);

  const again = await openStore(dataDir);
  const kept = await storeSubmission(again, withCanary);
  await postgres.stop();
  expect((await awhinaShared(['erase', kept, '--yes'], settings)).err).toContain('Nothing was erased.');
  expect(await again.findSubmission(kept)).not.toBeNull();
  await postgres.start();
});

test('check and a dry run say that the clock has jumped, and what to type', async () => {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  await store.recordErasing(new Date(), new Date(Date.now() - 20 * 24 * 3_600_000));
  await store.close();
  const told = 'nothing that nobody has seen is erased until somebody runs: ./awhina purge --trust-clock';
  expect((await awhinaShared(['check'], { DATA_DIR: dataDir })).out).toContain(told);
  const dry = await awhinaShared(['purge', '--dry-run'], { DATA_DIR: dataDir });
  expect(dry).toMatchObject({ code: 0, err: expect.stringContaining(told) });
});

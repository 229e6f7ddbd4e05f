import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import type { Receipt } from '../src/model/operations.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { kept, patient, readiness, serve, submit, submitted } from './support/bad-day.ts';
import { awhina } from './support/command.ts';
import { sampleEntries } from './support/forms.ts';
import { anySubmission } from './support/kept-submissions.ts';
import { mailTo, startScriptedSmtp } from './support/scripted-smtp.ts';
import { quickStart, startProgram } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken, testSecret } from './support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from './support/visitor.ts';

/** The data folder or some of its files deleted, cut off or replaced under a server that runs. */

/** Moved away first: a folder that is emptied name by name may get a new one from the server in between. */
function removeFolder(dataDir: string): void {
  renameSync(dataDir, `${dataDir}-gone`);
  rmSync(`${dataDir}-gone`, { recursive: true });
}

/** Tried until it holds: the server, which makes a missing folder anew, may be the quicker one. */
function putInTheWayOf(dataDir: string): void {
  for (;;) {
    removeFolder(dataDir);
    try {
      writeFileSync(dataDir, 'in the way', { flag: 'wx' });
      return;
    } catch (error) {
      expect(error).toHaveProperty('code', 'EEXIST');
    }
  }
}

test('a data folder that is deleted under the server is made anew, and what staff do not have goes along', async () => {
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  const dataDir = join(temporaryFolder(), 'data');
  const server = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  const delivered = await submitted(server);
  await expect.poll(() => server.lines.join('\n'), patient).toContain('"event":"delivered"');
  smtp.script.RCPT = '451 later';
  const waiting = await submitted(server);
  removeFolder(dataDir);
  const after = await submitted(server);
  expect(kept(dataDir)).toEqual([waiting, after]);
  expect(kept(dataDir)).not.toContain(delivered);
  expect(server.lines.join('\n')).toMatch(/"event":"data folder replaced","count":[12]/);
  await server.end('SIGKILL');
  expect(kept(dataDir)).toEqual([waiting, after]);
});

const file = (dataDir: string, ending: string) => join(dataDir, `awhina.sqlite${ending}`);

test.each<[string, boolean, (dataDir: string) => unknown]>([
  ['the database is deleted', true, (dataDir) => rmSync(file(dataDir, ''))],
  ['its log is deleted', true, (dataDir) => rmSync(file(dataDir, '-wal'))],
  [
    'its shared memory is deleted, and a purge run beside',
    true,
    async (dataDir) => {
      rmSync(file(dataDir, '-shm'));
      await awhina(['purge'], { DATA_DIR: dataDir });
    },
  ],
  [
    'a backup is put over it, beside its old log',
    true,
    (dataDir) => {
      copyFileSync(file(dataDir, ''), file(dataDir, '.backup'));
      renameSync(file(dataDir, '.backup'), file(dataDir, ''));
    },
  ],
  // What was in it then is gone, and not the server's to bring back; what comes after is.
  ['the database is cut off', false, (dataDir) => truncateSync(file(dataDir, ''))],
  ['its log is cut off', false, (dataDir) => truncateSync(file(dataDir, '-wal'))],
])('where %s under the server, what it acknowledges lasts', async (_what, spared, damage) => {
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  smtp.script.RCPT = '451 later';
  const dataDir = temporaryFolder();
  const server = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  const before = [await submitted(server), await submitted(server)];
  await damage(dataDir);
  // As the browser does, a few tries are made.
  const after: string[] = [];
  await expect
    .poll(async () => {
      const result = await submit(server);
      if (isReceipt(result)) after.push(result.reference);
      return after.length;
    }, patient)
    .toBe(2);
  await server.end('SIGKILL');
  const again = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  expect(kept(dataDir)).toEqual(expect.arrayContaining(spared ? [...before, ...after] : after));
  expect((await readiness(again))[0]).toBe(200);
});

/**
 * The mounts that systemd makes for the unit (ProtectSystem=strict, StateDirectory=): all is read-only but the data folder,
 * and that mount goes along with a folder that is moved.
 */
async function serveAsUnit(parent: string, env: Record<string, string>) {
  const mounts = `mount --bind "$0/data" "$0/data" && mount --rbind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"`;
  const server = await startProgram(
    'unshare',
    ['--mount', 'sh', '-c', mounts, parent, process.execPath, 'src/server/main.ts'],
    { ...quickStart, ...trustTheVisitor, WEEKLY_LETTER: 'off', DATA_DIR: join(parent, 'data'), ...env },
  );
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

test.runIf(canMount)(
  'under the unit, a folder that is moved away and made anew ends the server, once nothing would be lost by it',
  async () => {
    const smtp = await startScriptedSmtp();
    onTestFinished(() => smtp.close());
    smtp.script.RCPT = '451 later';
    const parent = temporaryFolder();
    mkdirSync(join(parent, 'data'));
    const server = await serveAsUnit(parent, { ...mailTo(smtp.port), BOT_CHECK_SECRET: testSecret });
    const waiting = await submitted(server);
    renameSync(join(parent, 'data'), join(parent, 'moved'));
    mkdirSync(join(parent, 'data'));
    const said = () => server.lines.join('\n');
    await expect.poll(said, patient).toContain('"event":"data folder replaced and read-only","count":1');
    expect(isReceipt(await submit(server))).toBe(false);
    expect((await readiness(server))[0]).toBe(503);
    expect(server.process.exitCode).toBe(null);

    const ended = new Promise((resolve) => server.process.once('exit', resolve));
    // As if it had been mailed in the meantime.
    {
      using db = new DatabaseSync(join(parent, 'moved/awhina.sqlite'), { timeout: 5_000 });
      db.exec("UPDATE deliveries SET delivered_at = '2026-03-01T00:00:00.000Z'");
    }
    expect(await ended).toBe(1);
    expect(kept(join(parent, 'moved'))).toContain(waiting);
    // systemd starts it again, with its mounts on the new folder.
    const again = await serveAsUnit(parent, { BOT_CHECK_SECRET: testSecret });
    await submitted(again);
  },
);

test('a log that is cut off is not written into the database by whoever takes out traces', async () => {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  onTestFinished(() => store.close());
  for (let n = 0; n < 20; n++) await store.add(anySubmission());
  truncateSync(file(dataDir, '-wal'));
  // As the mail's worker does at any time: from here on the log has a hole where its beginning was.
  await store.recordDoubt(new Date());
  await store.scrub().catch(() => {});
  const { receipt } = (await store.add(anySubmission())) as { receipt: Receipt };

  // As if the machine went now.
  const found = temporaryFolder();
  for (const ending of ['', '-wal']) copyFileSync(file(dataDir, ending), file(found, ending));
  const again = await openSqliteStore(found);
  onTestFinished(() => again.close());
  expect(kept(found)).toContain(receipt.reference);
});

test('a data folder that is deleted while nobody comes takes nothing along that staff do not have', async () => {
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  smtp.script.RCPT = '451 later';
  const dataDir = join(temporaryFolder(), 'data');
  const server = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  const waiting = await submitted(server);
  removeFolder(dataDir);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(kept(dataDir)).toEqual([waiting]);
});

test('a data folder that is replaced by a backup is gone on with, and nothing is sent or kept twice', async () => {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const server = await serve({ DATA_DIR: dataDir });
  const before = await submitted(server);
  await expect.poll(() => server.lines.join('\n'), patient).toContain('"event":"delivered"');
  {
    mkdirSync(join(folder, 'backup'));
    using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
    db.exec(`VACUUM INTO '${join(folder, 'backup', 'awhina.sqlite')}'`);
  }
  renameSync(dataDir, join(folder, 'old'));
  renameSync(join(folder, 'backup'), dataDir);
  const after = await submitted(server);
  expect(kept(dataDir)).toEqual([before, after]);
  expect(kept(join(folder, 'old'))).toEqual([before]);
  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
  expect(db.prepare(`SELECT sum(count) AS sum FROM counts WHERE kind = 'received'`).get()).toEqual({
    sum: 2,
  });
});

test('where no folder can be, nothing is acknowledged until there can', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const server = await serve({ DATA_DIR: dataDir });
  putInTheWayOf(dataDir);
  const token = await mintToken();
  const attempt = () => send(server.url, 'help', sampleEntries.help, token);
  expect(await attempt()).toBe('UNAVAILABLE');
  // A second try must not be told that the first one worked.
  expect(await attempt()).toBe('UNAVAILABLE');
  await expect.poll(async () => (await readiness(server))[0], patient).toBe(503);
  rmSync(dataDir);
  const result = await attempt();
  expect(isReceipt(result) && kept(dataDir)).toEqual(isReceipt(result) && [result.reference]);
  await expect.poll(async () => (await readiness(server))[0], patient).toBe(200);
});

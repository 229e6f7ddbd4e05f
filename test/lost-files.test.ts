import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Receipt } from '../src/model/operations.ts';
import { StoreUnavailable } from '../src/server/store/contract/errors.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhina } from './support/command.ts';
import { sampleEntries } from './support/forms.ts';
import { kept, patient, readiness, serve, submit, submitted } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import { compileCache, startProgram, type TestServer } from './support/server.ts';
import { anySubmission } from './support/stored-submissions.ts';
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

/** A form is sent until the server has ended. Resolves to the exit code or signal, and the acknowledged references. */
async function submitUntilEnd(server: TestServer) {
  const acknowledged: string[] = [];
  const ended = () => server.process.exitCode ?? server.process.signalCode;
  const late = setTimeout(patient.timeout, 'late', { ref: false });
  while (ended() === null) {
    const result = await Promise.race([submit(server).catch(() => 'gone'), late]);
    if (result === 'late')
      throw new Error(`The server has not ended, after ${acknowledged.length} receipts:\n${said(server)}`);
    if (isReceipt(result)) acknowledged.push(result.reference);
  }
  return { code: ended(), acknowledged };
}
const said = ({ lines }: TestServer) => lines.slice(-50).join('\n');

/** The scrub of a start writes the whole log into the database. One that is cut off meanwhile is whole again, and the server goes on. */
async function scrubbed(dataDir: string): Promise<void> {
  using db = new DatabaseSync(file(dataDir, ''), { timeout: 5_000 });
  const erased = db.prepare(`SELECT 1 FROM times WHERE name = 'erase'`);
  await expect.poll(() => erased.get(), patient).toBeDefined();
}

test('a data folder that is deleted under the server ends it, and what nobody has answered is in the new folder', async () => {
  const smtp = await startSmtp();
  const dataDir = join(temporaryFolder(), 'data');
  const server = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  const delivered = await submitted(server);
  await expect.poll(() => server.lines.join('\n'), patient).toContain('"event":"mail accepted"');
  smtp.script.RCPT = '451 later';
  const waiting = await submitted(server);
  removeFolder(dataDir);
  expect(await submitUntilEnd(server)).toEqual({ code: 1, acknowledged: [] });
  expect(server.lines.join('\n')).toContain('"event":"data folder replaced","count":0');
  // A mail server has accepted the second, and nobody has answered it.
  expect(kept(dataDir)).toEqual(expect.arrayContaining([waiting, delivered]));
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
])('where %s under the server, it ends, and what it acknowledged lasts', async (_what, spared, damage) => {
  const smtp = await startSmtp();
  smtp.script.RCPT = '451 later';
  const dataDir = temporaryFolder();
  const server = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  const before = [await submitted(server), await submitted(server)];
  await scrubbed(dataDir);
  await damage(dataDir);
  const { code, acknowledged } = await submitUntilEnd(server);
  expect(code).toBe(1);
  const again = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  expect(kept(dataDir)).toEqual(expect.arrayContaining(spared ? [...before, ...acknowledged] : acknowledged));
  await submitted(again);
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
    { ...compileCache, ...trustTheVisitor, WEEKLY_LETTER: 'off', DATA_DIR: join(parent, 'data'), ...env },
  );
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}
const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

test.runIf(canMount)(
  'under the unit, a folder that is moved away and made anew ends the server, once nothing would be lost by it',
  async () => {
    const smtp = await startSmtp();
    smtp.script.RCPT = '451 later';
    const parent = temporaryFolder();
    mkdirSync(join(parent, 'data'));
    const server = await serveAsUnit(parent, { ...mailTo(smtp.port), BOT_CHECK_SECRET: testSecret });
    const waiting = await submitted(server);
    renameSync(join(parent, 'data'), join(parent, 'moved'));
    mkdirSync(join(parent, 'data'));
    const said = () => server.lines.join('\n');
    await expect.poll(said, patient).toContain('"event":"data folder replaced","count":1');
    expect(isReceipt(await submit(server))).toBe(false);
    expect((await readiness(server))[0]).toBe(503);
    expect(server.process.exitCode).toBe(null);

    // As if it had been mailed in the meantime.
    {
      using db = new DatabaseSync(join(parent, 'moved/awhina.sqlite'), { timeout: 5_000 });
      db.exec('UPDATE submissions SET accepted_at = received_at; DELETE FROM jobs');
    }
    await expect.poll(() => server.process.exitCode, patient).toBe(1);
    expect(kept(join(parent, 'moved'))).toContain(waiting);
    // systemd starts it again, with its mounts on the new folder.
    const again = await serveAsUnit(parent, { BOT_CHECK_SECRET: testSecret });
    await submitted(again);
  },
);

test('a log that is cut off is not written into the database by a scrub', async () => {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  for (let n = 0; n < 20; n++) await store.add(anySubmission());
  truncateSync(file(dataDir, '-wal'));
  // As the delivery worker does at any time: from here on the log has a hole where its beginning was.
  await store.recordClockFault(new Date()).catch(() => {});
  await store.scrub().catch(() => {});
  await expect(store.add(anySubmission())).rejects.toThrow(StoreUnavailable);
  await store.close();

  const again = await openSqliteStore(dataDir, { inspect: true });
  onTestFinished(() => again.close());
  const { receipt } = (await again.add(anySubmission())) as { receipt: Receipt };
  expect(kept(dataDir)).toContain(receipt.reference);
});

test('a data folder that is deleted while nobody comes takes nothing along that staff do not have', async () => {
  const smtp = await startSmtp();
  smtp.script.RCPT = '451 later';
  const dataDir = join(temporaryFolder(), 'data');
  const server = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  const waiting = await submitted(server);
  removeFolder(dataDir);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(kept(dataDir)).toEqual([waiting]);
});

test('after a data folder was replaced by a backup, nothing is sent or stored twice', async () => {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'data');
  const settings = { DATA_DIR: dataDir };
  const server = await serve(settings);
  const before = await submitted(server);
  await expect.poll(() => server.lines.join('\n'), patient).toContain('"event":"mail accepted"');
  {
    mkdirSync(join(folder, 'backup'));
    using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
    db.exec(`VACUUM INTO '${join(folder, 'backup', 'awhina.sqlite')}'`);
  }
  renameSync(dataDir, join(folder, 'old'));
  renameSync(join(folder, 'backup'), dataDir);
  const token = await mintToken();
  const attempt = (url: string) => send(url, 'help', sampleEntries.help, token).catch(() => 'gone');
  expect(isReceipt(await attempt(server.url))).toBe(false);
  expect(await submitUntilEnd(server)).toEqual({ code: 1, acknowledged: [] });

  // The browser sends the form again, with the same token.
  const again = await serve(settings);
  const result = await attempt(again.url);
  if (!isReceipt(result)) throw new Error(`Not taken: ${result}`);
  const references = kept(dataDir);
  expect(references).toContain(before);
  expect(references.filter((one) => one === result.reference)).toHaveLength(1);
  expect(kept(join(folder, 'old'))).toEqual([before]);
  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
  const counted = db.prepare(`SELECT count(*) AS sum FROM submissions WHERE counts <> ''`).get();
  expect(counted).toEqual({ sum: references.length });
});

test('where no folder can be, nothing is acknowledged until the server was started again in one', async () => {
  const smtp = await startSmtp();
  smtp.script.RCPT = '451 later';
  const dataDir = join(temporaryFolder(), 'data');
  const settings = { DATA_DIR: dataDir, ...mailTo(smtp.port) };
  const server = await serve(settings);
  // While something waits, ending would lose it.
  const waiting = await submitted(server);
  putInTheWayOf(dataDir);
  const token = await mintToken();
  const attempt = (url: string) => send(url, 'help', sampleEntries.help, token).catch(() => 'gone');
  expect(await attempt(server.url)).toBe('UNAVAILABLE');
  // A second try must not be told that the first one worked.
  expect(await attempt(server.url)).toBe('UNAVAILABLE');
  await expect.poll(async () => (await readiness(server))[0], patient).toBe(503);
  rmSync(dataDir);
  expect((await submitUntilEnd(server)).acknowledged).toEqual([]);
  const again = await serve(settings);
  const result = await attempt(again.url);
  if (!isReceipt(result)) throw new Error(`Not taken: ${result}`);
  expect(kept(dataDir)).toEqual(expect.arrayContaining([waiting, result.reference]));
});

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { awhina } from './support/command.ts';
import { sampleEntries } from './support/forms.ts';
import { mailTo, startScriptedSmtp } from './support/scripted-smtp.ts';
import { startServer, type TestServer } from './support/server.ts';
import { wrongBy } from './support/shifted-clock.ts';
import { canMountDisk, mountSmallDisk } from './support/small-disk.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from './support/visitor.ts';

/** What a disk, a folder, a clock or another program can do to a server that runs. */

const patient = { timeout: 60_000, interval: 100 };

async function serve(env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ ...trustTheVisitor, ...env });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  return server;
}

const submit = async ({ url }: TestServer) => send(url, 'help', sampleEntries.help, await mintToken());

async function submitted(server: TestServer): Promise<string> {
  const result = await submit(server);
  if (!isReceipt(result)) throw new Error(`Not taken: ${result}`);
  return result.reference;
}

async function readiness({
  url,
}: TestServer): Promise<[number, { problems?: string[]; warnings?: string[] }]> {
  const response = await fetch(`${url}/health/ready`);
  return [response.status, (await response.json()) as object];
}

function kept(dataDir: string): string[] {
  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
  return db
    .prepare('SELECT reference FROM submissions ORDER BY id')
    .all()
    .map(({ reference }) => String(reference));
}

describe.runIf(canMountDisk)('on a disk of its own', () => {
  test('a full disk turns the site red with the first form it cannot keep, and staff hear of it at once', async () => {
    const smtp = await startScriptedSmtp();
    onTestFinished(() => smtp.close());
    const disk = mountSmallDisk(8);
    const server = await serve({ DATA_DIR: disk.path, ...mailTo(smtp.port) });
    const subjects = () => smtp.accepted.map(({ raw }) => /^Subject: (.*)$/im.exec(raw)?.[1]);
    // So small a disk is worth a word before anything goes wrong.
    await expect
      .poll(subjects, patient)
      .toContain('[Website] The website will soon have no room for requests');
    const acknowledged = [await submitted(server)];
    expect((await readiness(server))[0]).toBe(200);

    disk.fill();
    // The log of the database may have a little room in itself.
    for (;;) {
      const result = await submit(server);
      if (isReceipt(result)) acknowledged.push(result.reference);
      else {
        expect(result).toBe('UNAVAILABLE');
        break;
      }
    }
    await expect
      .poll(() => readiness(server), patient)
      .toMatchObject([503, { problems: ['the disk is full'] }]);
    await expect.poll(subjects, patient).toContain('[Website] The website cannot take requests');
    expect(server.lines.join('\n')).toContain(
      '"event":"requests cannot be kept","reason":"the disk is full"',
    );

    disk.makeRoom();
    await expect.poll(async () => (await readiness(server))[0], patient).toBe(200);
    acknowledged.push(await submitted(server));
    expect(kept(disk.path)).toEqual(acknowledged);
    expect(await server.end()).toBe(0);
  });
});

test('a database that is damaged under the server turns it red, and it does not start again without a word', async () => {
  const dataDir = temporaryFolder();
  const server = await serve({ DATA_DIR: dataDir });
  const before = await submitted(server);
  {
    using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000, defensive: false });
    db.exec(`PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = 1 WHERE name LIKE 'sqlite_autoindex_submissions_%';
      PRAGMA schema_version = 99`);
  }
  expect(await submit(server)).toBe('UNAVAILABLE');
  await expect
    .poll(() => readiness(server), patient)
    .toMatchObject([503, { problems: ['the database is damaged'] }]);
  await server.end();
  const again = startServer({ DATA_DIR: dataDir });
  await expect(again).rejects.toThrow('DATA_DIR holds an awhina.sqlite that is damaged');

  // What it says to do: move it away, start, and get out of it what can be read.
  const folder = temporaryFolder();
  for (const ending of ['', '-wal', '-shm'])
    if (existsSync(join(dataDir, `awhina.sqlite${ending}`)))
      renameSync(join(dataDir, `awhina.sqlite${ending}`), join(folder, `awhina.sqlite${ending}`));
  const anew = await serve({ DATA_DIR: dataDir });
  const after = await submitted(anew);
  const salvage = ['salvage', join(folder, 'awhina.sqlite')];
  const first = await awhina(salvage, { DATA_DIR: dataDir });
  expect(first).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 found that can be read, 1 of them'),
  });
  expect((await awhina(salvage, { DATA_DIR: dataDir })).out).toContain('1 found that can be read, 0 of them');
  expect(kept(dataDir)).toEqual([after, before]);
});

test('a data folder that is deleted under the server is made anew, and what staff do not have goes along', async () => {
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  const dataDir = join(temporaryFolder(), 'data');
  const server = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  const delivered = await submitted(server);
  await expect.poll(() => server.lines.join('\n'), patient).toContain('"event":"delivered"');
  smtp.script.RCPT = '451 later';
  const waiting = await submitted(server);
  rmSync(dataDir, { recursive: true });
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

test('a data folder that is deleted while nobody comes takes nothing along that staff do not have', async () => {
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  smtp.script.RCPT = '451 later';
  const dataDir = join(temporaryFolder(), 'data');
  const server = await serve({ DATA_DIR: dataDir, ...mailTo(smtp.port) });
  const waiting = await submitted(server);
  rmSync(dataDir, { recursive: true });
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
});

test('where no folder can be, nothing is acknowledged until there can', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const server = await serve({ DATA_DIR: dataDir });
  rmSync(dataDir, { recursive: true });
  writeFileSync(dataDir, 'in the way');
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

test('a clock forty years ahead erases nothing, and everybody who looks is told', async () => {
  const dataDir = temporaryFolder();
  const first = await serve({ DATA_DIR: dataDir });
  const reference = await submitted(first);
  await expect.poll(() => first.lines.join('\n'), patient).toContain('"event":"delivered"');
  await first.end();

  const ahead = wrongBy(40 * 365 * 24 * 3_600_000);
  const server = await serve({ DATA_DIR: dataDir, ...ahead });
  await expect.poll(() => server.lines.join('\n'), patient).toContain('"event":"nothing erased"');
  const told = expect.stringContaining('the clock is more than a year ahead of all that is stored');
  expect(await readiness(server)).toMatchObject([200, { warnings: [told] }]);
  // A form that comes in by that clock does not make it right, neither now nor after the next start.
  const expiresAt = new Date(Date.now() + 41 * 365 * 24 * 3_600_000);
  const late = await send(server.url, 'help', sampleEntries.help, await mintToken({ expiresAt }));
  if (!isReceipt(late)) throw new Error(`Not taken: ${late}`);
  await server.end();
  const again = await serve({ DATA_DIR: dataDir, ...ahead });
  await expect.poll(() => again.lines.join('\n'), patient).toContain('"event":"nothing erased"');
  const settings = { DATA_DIR: dataDir, CONTENT_DIR: 'content', ...ahead };
  expect((await awhina(['check'], settings)).out).toContain('The clock is more than a year ahead');
  expect(await awhina(['purge'], settings)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was erased'),
  });
  expect(kept(dataDir)).toEqual([reference, late.reference]);
  expect(await awhina(['purge', '--trust-clock'], settings)).toMatchObject({ code: 0 });
  expect(kept(dataDir)).toEqual([late.reference]);
});

test('while another program holds the database, pages come as ever, and a form waits for it', async () => {
  const dataDir = temporaryFolder();
  const server = await serve({ DATA_DIR: dataDir });
  using other = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
  other.exec('BEGIN IMMEDIATE');
  const token = await mintToken();
  // As the browser does: again with the same token, for as long as it takes.
  async function sendUntilKept(): Promise<string> {
    for (;;) {
      const result = await send(server.url, 'help', sampleEntries.help, token);
      if (isReceipt(result)) return result.reference;
      expect(result).toBe('UNAVAILABLE');
    }
  }
  let acknowledged = false;
  const sending = sendUntilKept().finally(() => {
    acknowledged = true;
  });
  const statuses = new Set<number>();
  for (let visit = 0; visit < 20; visit++) {
    for (const path of ['/', '/help', '/bot-check/challenge'])
      statuses.add((await fetch(server.url + path)).status);
  }
  expect([...statuses]).toEqual([200]);
  expect(acknowledged).toBe(false);
  other.exec('ROLLBACK');
  const reference = await sending;
  expect(kept(dataDir)).toEqual([reference]);
});

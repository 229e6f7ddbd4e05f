import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { awhina, awhinaShared } from './support/command.ts';
import { sampleEntries } from './support/forms.ts';
import { kept, patient, readiness, serve, submit, submitted } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import { startServer } from './support/server.ts';
import { canMountDisk, mountSmallDisk } from './support/small-disk.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send } from './support/visitor.ts';
import { wrongBy } from './support/wrong-clocks.ts';

/** What a disk, a clock or another program can do to a server that runs. */

describe.runIf(canMountDisk)('on a disk of its own', () => {
  test('a full disk fails the health check with the first form that cannot be stored, and staff are told at once', async () => {
    const smtp = await startSmtp();
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
    expect(server.lines.join('\n')).toContain('"event":"store failed","reason":"the disk is full"');

    disk.makeRoom();
    await expect.poll(async () => (await readiness(server))[0], patient).toBe(200);
    acknowledged.push(await submitted(server));
    expect(kept(disk.path)).toEqual(acknowledged);
    expect(await server.end()).toBe(0);
  });
});

test('a database that is damaged while the server runs fails the health check, and the next start reports it', async () => {
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
  expect((await awhinaShared(salvage, { DATA_DIR: dataDir })).out).toContain(
    '1 found that can be read, 0 of them',
  );
  expect(kept(dataDir)).toEqual([after, before]);
});

test('a clock forty years ahead erases nothing, and is reported by health check, start and commands', async () => {
  const dataDir = temporaryFolder();
  const first = await serve({ DATA_DIR: dataDir });
  const reference = await submitted(first);
  await expect.poll(() => first.lines.join('\n'), patient).toContain('"event":"mail accepted"');
  await first.end();

  const ahead = wrongBy(40 * 365 * 24 * 3_600_000);
  const server = await serve({ DATA_DIR: dataDir, ...ahead });
  await expect.poll(() => server.lines.join('\n'), patient).toContain('"event":"erasing paused"');
  const told = expect.stringContaining('the clock is more than a year ahead of all that is stored');
  expect(await readiness(server)).toMatchObject([200, { warnings: [told] }]);
  // A form that comes in by that clock does not make it right, neither now nor after the next start.
  const expiresAt = new Date(Date.now() + 41 * 365 * 24 * 3_600_000);
  const late = await send(server.url, 'help', sampleEntries.help, await mintToken({ expiresAt }));
  if (!isReceipt(late)) throw new Error(`Not taken: ${late}`);
  await server.end();
  const again = await serve({ DATA_DIR: dataDir, ...ahead });
  await expect.poll(() => again.lines.join('\n'), patient).toContain('"event":"erasing paused"');
  const rightly = { DATA_DIR: dataDir, CONTENT_DIR: 'content' };
  const settings = { ...rightly, ...ahead };
  expect((await awhina(['check'], settings)).out).toContain('The clock is more than a year ahead');
  expect(await awhina(['purge'], settings)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was erased'),
  });
  expect(kept(dataDir)).toEqual([reference, late.reference]);
  await awhina(['deliveries', 'read', reference], rightly);
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

test('a command that the database refuses says why', async () => {
  const dataDir = temporaryFolder();
  const server = await serve({ DATA_DIR: dataDir });
  const reference = await submitted(server);
  await server.end();
  using other = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
  other.exec('BEGIN IMMEDIATE');
  expect(await awhinaShared(['deliveries', 'retry', reference], { DATA_DIR: dataDir })).toMatchObject({
    code: 1,
    err: 'The database could not be used just now: the database is locked by another program.\n',
  });
  other.exec('ROLLBACK');
  expect(await awhinaShared(['deliveries', 'retry', reference], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
  });
});

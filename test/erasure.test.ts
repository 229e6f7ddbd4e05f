import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderTransport } from '../src/server/delivery/folder/folder-transport.ts';
import { findUnread, markRead } from '../src/server/delivery/folder/mail-folder.ts';
import { claimMail } from '../src/server/store/contract/mail-jobs.ts';
import { openPostgresStore } from '../src/server/store/postgres/postgres-store.ts';
import { generateKeyPair } from '../src/server/submissions/seal.ts';
import { awhinaShared } from './support/command.ts';
import { createDatabase, databaseFolder } from './support/databases.ts';
import { workerFor } from './support/delivery.ts';
import { openStore } from './support/each-store.ts';
import { createEraser } from './support/erasing-machine.ts';
import { filesWith, matchesIn } from './support/find-in-files.ts';
import { sampleEntries, withAnswer } from './support/forms.ts';
import { serve, submitted } from './support/running-server.ts';
import type { TestServer } from './support/server.ts';
import { createClock, storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send } from './support/visitor.ts';

const day = 24 * 3_600_000;
const canary = 'Kanariwhero7Q';

const serveTraced = (env: Record<string, string>) => serve({ LOG_LEVEL: 'trace', ...env });

/** Sends requests with the canary in every answer that takes words, and waits until staff have them. */
async function sendCanaries(server: TestServer, count: number): Promise<string[]> {
  const word = (what: string) => `${what} ${canary} ${what}`;
  const answers = [
    ...['FirstName', 'LastName', 'Phone', 'Subject', 'Message'].map((key) => ({ key, value: word(key) })),
    { key: 'Email', value: `${canary}@visitor.example` },
    { key: 'SafeContact', value: ['Email'] },
    { key: 'SupportNeeded', value: ['Housing'] },
  ];
  const references: string[] = [];
  for (let n = 0; n < count; n++) references.push(await submitted(server, 'help', answers));
  // Refused ones too: a wrong answer must not get into a log either.
  await send(server.url, 'help', [...answers, { key: canary, value: canary }], await mintToken());
  await send(server.url, 'help', answers, canary);
  const delivered = () => server.lines.filter((line) => line.includes('"event":"mail accepted"')).length;
  await expect.poll(delivered).toBe(count);
  return references;
}

function makeOld(dataDir: string): void {
  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { timeout: 5_000 });
  const old = `'2020-01-01T00:00:00.000Z'`;
  db.exec(`UPDATE submissions SET accepted_at = ${old}, read_at = ${old}, followed_up_at = ${old}`);
}

test('after a purge beside the running server, no file has a word of what was erased; no log ever had', async () => {
  const dataDir = temporaryFolder();
  const server = await serveTraced({ DATA_DIR: dataDir });
  const references = await sendCanaries(server, 4);
  const files = filesWith(dataDir, canary).map((path) => path.slice(dataDir.length + 1));
  expect(files).toEqual(expect.arrayContaining(references.map((reference) => `mail/${reference}.eml`)));
  expect(files.some((file) => file.startsWith('awhina.sqlite'))).toBe(true);

  expect(await awhinaShared(['deliveries', 'read', '--all'], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
  });
  makeOld(dataDir);
  expect(await awhinaShared(['purge'], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  expect(filesWith(dataDir, canary)).toEqual([]);
  expect(await server.end()).toBe(0);
  expect(filesWith(dataDir, canary)).toEqual([]);
  expect(server.lines.length).toBeGreaterThan(10);
  expect(server.lines.filter((line) => line.includes(canary))).toEqual([]);
});

test('the server erases old requests when it starts, and then every hour', async () => {
  const dataDir = temporaryFolder();
  const first = await serveTraced({ DATA_DIR: dataDir });
  await sendCanaries(first, 2);
  await first.end();
  await awhinaShared(['deliveries', 'read', '--all'], { DATA_DIR: dataDir });
  makeOld(dataDir);
  const second = await serveTraced({ DATA_DIR: dataDir });
  await expect.poll(() => second.lines.join('\n')).toContain('"event":"requests erased","count":2');
  expect(filesWith(dataDir, canary)).toEqual([]);
});

test('sealed answers are never in any file, nor in a log; the key opens them', async () => {
  const dataDir = temporaryFolder();
  const { recipient, identity } = await generateKeyPair();
  const server = await serveTraced({ DATA_DIR: dataDir, SEAL_TO: recipient });
  const [reference = ''] = await sendCanaries(server, 3);
  expect(filesWith(dataDir, canary)).toEqual([]);
  expect(filesWith(dataDir, 'AGE ENCRYPTED FILE').length).toBeGreaterThan(1);
  expect(await server.end()).toBe(0);
  expect(filesWith(dataDir, canary)).toEqual([]);
  expect(server.lines.filter((line) => line.includes(canary))).toEqual([]);

  const keyFolder = temporaryFolder();
  writeFileSync(join(keyFolder, 'key.txt'), identity);
  const shown = await awhinaShared(['show', reference, '--identity', join(keyFolder, 'key.txt')], {
    DATA_DIR: dataDir,
  });
  expect(shown.out).toContain(`Message ${canary} Message`);
});

test('a resend of sealed answers still gets the first receipt', async () => {
  const { recipient } = await generateKeyPair();
  const server = await serveTraced({ DATA_DIR: temporaryFolder(), SEAL_TO: recipient });
  const token = await mintToken();
  const first = await send(server.url, 'contact', sampleEntries.contact, token);
  expect(isReceipt(first)).toBe(true);
  expect(await send(server.url, 'contact', sampleEntries.contact, token)).toEqual(first);
  const changed = withAnswer(sampleEntries.contact, 'Message', 'another');
  expect(await send(server.url, 'contact', changed, token)).toBe('BOT_CHECK_FAILED');
});

/**
 * Many sizes, erased here and there and at different times: rows that shared pages, spilled over into pages of their
 * own, and were moved about when the tree was rebalanced. None may leave a copy behind.
 */
test('erased requests are gone from every page of the file, and the others stay whole', async () => {
  const dataDir = temporaryFolder();
  const store = await openStore(dataDir);
  const clock = createClock();
  const mailFolder = join(dataDir, 'mail');
  const worker = workerFor(store, createFolderTransport(mailFolder), clock.now);
  const eraseExpired = createEraser(store, mailFolder, clock.now, { mailFolder, retentionDays: 5 });
  const readAll = async () => {
    for (const { file } of await findUnread(mailFolder)) await markRead(mailFolder, [file]);
  };
  const words = new Map<string, string>();
  const keep = async (n: number) => {
    const word = `${canary}${String(n).padStart(4, '0')}`;
    const message = `${word} ${'lorem ipsum '.repeat((n * 7919) % 800)} ${word}`;
    const reference = await storeSubmission(store, {
      receivedAt: clock.now(),
      answers: { Message: message },
    });
    words.set(reference, word);
  };
  for (let n = 0; n < 240; n++) {
    await keep(n);
    // Delivered at very different times, so that each purge takes some from everywhere.
    if (n % 3 === 0) await worker.sendDue();
    clock.advance(day / 10);
    if (n % 30 === 29) {
      await readAll();
      await eraseExpired();
    }
  }
  await worker.sendDue();
  await readAll();
  clock.advance(2 * day);
  const erased = await eraseExpired();
  expect(erased.scrubbed).toBe(true);
  const left = new Set<string>();
  for await (const { reference } of store.iterateSubmissions({})) left.add(words.get(reference) ?? '');
  expect(left.size).toBeGreaterThan(20);
  expect(words.size - left.size).toBeGreaterThan(120);
  expect(matchesIn(dataDir, new RegExp(`${canary}\\d{4}`, 'g'))).toEqual(left);
});

test('PostgreSQL’s tables hold nothing of what was erased either, and a reader does not make the purge wait', async () => {
  const url = await createDatabase();
  const store = await openPostgresStore(url, () => {});
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await store.close();
  });
  const clock = createClock();
  const words = new Map<string, string>();
  for (let n = 0; n < 60; n++) {
    const word = `${canary}${String(n).padStart(4, '0')}`;
    words.set(await storeSubmission(store, { receivedAt: clock.now(), answers: { Message: word } }), word);
  }
  const claims = await claimMail(store, clock.now(), 60, 60_000, 'new');
  for (const [n, claim] of claims.entries()) if (n % 2 === 0) await store.finishDelivery(claim, clock.now());
  await store.startUnseenLimit(null, new Date(clock.now().getTime() - 10 * day));
  clock.advance(6 * day);
  const mailFolder = join(temporaryFolder(), 'mail');
  const eraseExpired = createEraser(store, mailFolder, clock.now, { mailFolder, retentionDays: 5 });

  await client.query('BEGIN; SELECT count(*) FROM submissions');
  expect(await eraseExpired()).toMatchObject({ count: 30, scrubbed: false });
  await client.query('COMMIT');
  expect(await eraseExpired()).toMatchObject({ count: 0, scrubbed: true });
  const left = new Set<string>();
  for await (const { reference } of store.iterateSubmissions({})) left.add(words.get(reference) ?? '');
  expect(left.size).toBe(30);
  expect(matchesIn(await databaseFolder(url), new RegExp(`${canary}\\d{4}`, 'g'))).toEqual(left);
});

test('a copy of the database that is gone when its turn comes does not keep the others', async () => {
  const dataDir = temporaryFolder();
  const store = await openStore(dataDir);
  symlinkSync('nowhere', join(dataDir, 'awhina-before-1.sqlite'));
  writeFileSync(join(dataDir, 'awhina-before-2.sqlite'), 'words');
  const eraseExpired = createEraser(store, dataDir, () => new Date(Date.now() + 6 * day), {
    retentionDays: 5,
  });
  await eraseExpired();
  expect(existsSync(join(dataDir, 'awhina-before-2.sqlite'))).toBe(false);
});

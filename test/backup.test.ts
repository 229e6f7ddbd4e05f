import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFolderTransport } from '../src/server/delivery/folder/folder-transport.ts';
import { claimMail, parkMail } from '../src/server/store/contract/mail-jobs.ts';
import type { Store } from '../src/server/store/contract/store.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { generateKeyPair } from '../src/server/submissions/seal.ts';
import { awhinaShared } from './support/command.ts';
import { workerFor } from './support/delivery.ts';
import { eachStore, openStore } from './support/each-store.ts';
import { filesWith } from './support/find-in-files.ts';
import { sampleEntries } from './support/forms.ts';
import { claimEscalations, claimReminders, referencesOf } from './support/jobs.ts';
import { serve } from './support/running-server.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from './support/visitor.ts';

const now = () => new Date();
const canary = 'Kanariwhero7Q';

async function everythingIn(store: Store) {
  const found = [];
  for await (const { id: _id, ...one } of store.iterateSubmissions({})) found.push(one);
  return found.toSorted((a, b) => a.reference.localeCompare(b.reference));
}

const figuresIn = (store: Store) => store.readFigures('0000-01-01', '9999-12-31');
const sum = (all: readonly { count: number }[]) => all.reduce((before, { count }) => before + count, 0);

const databases = eachStore();
const pairs = databases.flatMap(([from, source]) =>
  databases.map(([to, target]) => [from, to, source, target] as const),
);

describe.each(pairs)('a backup of %s, restored into %s,', (_from, _to, source, target) => {
  test('has every request with its delivery state, its mails, the content and the settings', async () => {
    const from = await source.open();
    const to = await target.open();
    onTestFinished(() => Promise.all([from.close(), to.close()]).then(() => {}));
    const { store, dataDir } = from;
    const receivedAt = now();
    await storeSubmission(store, { receivedAt });
    const worker = workerFor(store, createFolderTransport(join(dataDir, 'mail')), now);
    await worker.sendDue();
    await storeSubmission(store, { receivedAt, answers: { Message: 'parked' } });
    for (const claim of await claimMail(store, now(), 1, 60_000, 'new'))
      await parkMail(store, claim, now(), 'SMTP 550 at DATA');
    const urgently = { receivedAt, urgent: true };
    const escalated = await storeSubmission(store, {
      ...urgently,
      language: 'mi',
      answers: { Message: canary },
    });
    const [job] = await claimEscalations(store, new Date(now().getTime() + 600_000));
    expect(job && [job.reference, await store.completeJob(job)]).toEqual([escalated, true]);
    await storeSubmission(store, { receivedAt, heldUntil: now(), form: 'contact' });
    writeFileSync(join(dataDir, 'erased.log'), 'one\n');

    const contentDir = join(temporaryFolder(), 'content');
    mkdirSync(join(contentDir, 'forms'), { recursive: true });
    copyFileSync('content/forms/help.yaml', join(contentDir, 'forms/help.yaml'));
    mkdirSync(join(contentDir, 'languages'));
    writeFileSync(join(contentDir, 'languages/mi.po'), 'msgid ""\nmsgstr "X-Name: Te reo Māori\\n"\n');
    const { recipient, identity } = await generateKeyPair();
    const file = join(temporaryFolder(), 'site.backup');
    const made = await awhinaShared(['backup', file, '--to', recipient], {
      ...from.environment,
      CONTENT_DIR: contentDir,
      RETENTION_DAYS: '40',
    });
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toContain('4 requests, 3 of them accepted by no mail server yet.');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(filesWith(join(file, '..'), canary)).toEqual([]);
    expect(globSync('*aside*', { cwd: dataDir })).toEqual([]);

    const key = join(temporaryFolder(), 'key.txt');
    writeFileSync(key, `# a comment\n${identity}\n`);
    await to.close();
    const place = { ...to.environment, CONTENT_DIR: join(temporaryFolder(), 'content') };
    expect((await awhinaShared(['restore', file], place)).err).toContain('is sealed');
    expect(await awhinaShared(['restore', file, '--identity', key], place)).toMatchObject({
      code: 0,
      err: '',
    });

    const restored = await target.reopen(to);
    onTestFinished(() => restored.close());
    const strip = (all: Awaited<ReturnType<typeof everythingIn>>) =>
      all.map(({ delivery: { nextAttemptAt: _at, ...delivery }, ...rest }) => ({ ...rest, delivery }));
    expect(strip(await everythingIn(restored))).toEqual(strip(await everythingIn(store)));
    expect(await figuresIn(restored)).toEqual(await figuresIn(store));
    const { received, languages } = await figuresIn(restored);
    expect([sum(received), sum(languages)]).toEqual([4, 1]);
    expect((await everythingIn(restored)).flatMap(({ language }) => language ?? [])).toEqual(['mi']);
    expect(globSync('mail/*', { cwd: to.dataDir })).toEqual(globSync('mail/*', { cwd: dataDir }));
    expect(readFileSync(join(to.dataDir, 'erased.log'), 'utf8')).toBe('one\n');
    expect(existsSync(join(place.CONTENT_DIR, 'forms/help.yaml'))).toBe(true);
    const translation = join(place.CONTENT_DIR, 'languages/mi.po');
    expect(readFileSync(translation, 'utf8')).toContain('Te reo Māori');
    expect(statSync(translation).mode & 0o777).toBe(0o644);
    const settings = readFileSync(join(to.dataDir, 'restored/settings.env'), 'utf8');
    expect(parseEnv(settings)).toMatchObject({ RETENTION_DAYS: '40' });
    expect(settings).not.toContain('awhina:awhina');

    // One was delivered and one is parked; the others are due, each as it was.
    const urgent = await claimMail(restored, now(), 9, 60_000, 'new');
    expect(urgent.map(({ submission }) => submission.delivery.urgent)).toEqual([true]);
    expect(await claimMail(restored, now(), 9, 60_000, 'held')).toHaveLength(1);
    const later = new Date(now().getTime() + 3_600_000);
    expect(await claimEscalations(restored, later)).toEqual([]);
    expect(referencesOf(await claimReminders(restored, later))).toEqual([escalated]);

    const again = await awhinaShared(['restore', file, '--identity', key], place);
    expect(again.code).toBe(1);
    expect(again.err).toContain('is not empty. Nothing was changed');
  });
});

test('a backup has the requests that wait in the fallback for PostgreSQL, once, with their latest delivery state', async () => {
  const [, postgres] = databases[1] ?? [];
  if (!postgres) throw new Error('There is no PostgreSQL');
  const { store, dataDir, environment, close } = await postgres.open();
  const spare = await openSqliteStore(dataDir);
  onTestFinished(() => Promise.all([close(), spare.close()]).then(() => {}));
  const there = await storeSubmission(store, { receivedAt: now() });
  const here = await storeSubmission(spare, { receivedAt: now() });
  // In both, as while it moves; and mailed from there.
  const both = await storeSubmission(spare, { receivedAt: now() });
  const rows = await spare.claimForTransfer(now(), 9, now());
  await store.importRows(rows.filter(({ reference }) => reference === both));
  for (const claim of await claimMail(store, now(), 9, 60_000, 'new'))
    await store.finishDelivery(claim, now());
  const file = join(temporaryFolder(), 'site.backup');
  expect(await awhinaShared(['backup', file], environment)).toMatchObject({ code: 0 });
  const elsewhere = join(temporaryFolder(), 'data');
  expect(await awhinaShared(['restore', file], { DATA_DIR: elsewhere })).toMatchObject({ code: 0 });
  const restored = await openStore(elsewhere);
  const delivered = (await everythingIn(restored)).map(
    ({ reference, delivery }) => [reference, delivery.deliveredAt !== null] as const,
  );
  expect(new Map(delivered)).toEqual(
    new Map([
      [there, true],
      [here, false],
      [both, true],
    ]),
  );
  const { received, delivered: arrived } = await figuresIn(restored);
  expect([sum(received), sum(arrived)]).toEqual([3, 2]);
  const away = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  const failed = await awhinaShared(['backup', `${file}-2`], away);
  expect(failed).toMatchObject({ code: 1, err: 'The database in DATABASE_URL cannot be reached.\n' });
  expect(globSync('*', { cwd: join(file, '..') })).toEqual(['site.backup']);
});

test('a backup made while forms come in has every request acknowledged before, and no form is refused', async () => {
  const dataDir = temporaryFolder();
  const server = await serve({ DATA_DIR: dataDir, ...trustTheVisitor });
  const references: string[] = [];
  const visit = async () => {
    const receipt = await send(server.url, 'help', sampleEntries.help, await mintToken());
    if (!isReceipt(receipt)) throw new Error(`Not taken: ${receipt}`);
    references.push(receipt.reference);
  };
  for (let n = 0; n < 20; n++) await visit();
  const before = [...references];
  let isMaking = true;
  const visits = (async () => {
    while (isMaking) await visit();
  })();
  const file = join(temporaryFolder(), 'site.backup');
  const made = await awhinaShared(['backup', file], { DATA_DIR: dataDir });
  isMaking = false;
  await visits;
  expect(made).toMatchObject({ code: 0, err: expect.stringContaining('It is not sealed') });
  expect(references.length).toBeGreaterThan(before.length);

  const elsewhere = join(temporaryFolder(), 'data');
  expect(await awhinaShared(['restore', file], { DATA_DIR: elsewhere })).toMatchObject({ code: 0 });
  const store = await openStore(elsewhere);
  for (const reference of before) expect(await store.findSubmission(reference)).not.toBeNull();
});

test('a restore into the data folder of a running server is refused, also where no request is in it', async () => {
  const dataDir = temporaryFolder();
  const file = join(temporaryFolder(), 'site.backup');
  const server = await serve({ DATA_DIR: dataDir });
  const contentDir = join(temporaryFolder(), 'nowhere');
  expect(await awhinaShared(['backup', file], { DATA_DIR: dataDir, CONTENT_DIR: contentDir })).toMatchObject({
    code: 0,
    err: expect.stringContaining(`No content is in it: there is no ${contentDir}. Set CONTENT_DIR`),
  });
  const refused = await awhinaShared(['restore', file], { DATA_DIR: dataDir });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('another program has locked') });
  await server.end();
  // Nothing was ever sent to it, so there is nothing to lose.
  expect(await awhinaShared(['restore', file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../test/support/databases.ts';
import { eachStore } from '../../../test/support/each-store.ts';
import { prepareFallback, referenceOf } from '../../../test/support/fallback.ts';
import { anySubmission } from '../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { claimMail } from './contract/mail-jobs.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { parseTransferRow } from './rows/transfer-row.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import { salvageRows } from './transfer/damaged-database.ts';

const ever = ['0000-01-01', '9999-12-31'] as const;
const samoan = () => anySubmission({ language: 'sm', countedLanguage: 'sm' });

describe.each(eachStore())('the language of a submission in %s', (_name, { open }) => {
  test('is found with the submission and claimed with its delivery, and is erased with the submission', async () => {
    const { store, close } = await open();
    onTestFinished(close);
    const reference = referenceOf(await store.add(samoan()));
    const original = referenceOf(await store.add(anySubmission()));
    expect((await store.findSubmission(reference))?.language).toBe('sm');
    expect((await store.findSubmission(original))?.language).toBeNull();
    const claims = await claimMail(store, new Date(), 9, 60_000, 'new');
    expect(claims.map(({ submission }) => submission.language)).toEqual(['sm', null]);
    await store.eraseSubmissions([reference]);
    expect(await store.findSubmission(reference)).toBeNull();
    // What was counted stays.
    expect((await store.readFigures(...ever)).languages).toMatchObject([{ language: 'sm', count: 1 }]);
  });

  test('is not counted of a canary, nor twice of a form that was sent twice', async () => {
    const { store, close } = await open();
    onTestFinished(close);
    const sent = samoan();
    for (const one of [sent, sent, { ...samoan(), canary: true }]) await store.add(one);
    expect((await store.readFigures(...ever)).languages).toMatchObject([{ language: 'sm', count: 1 }]);
  });
});

test('a request that waited in the fallback has its language in PostgreSQL, and counts there once', async () => {
  const { store, fallback, database, url } = await prepareFallback();
  await store.check();
  database.mode = 'away';
  const reference = referenceOf(await store.add(samoan()));
  database.mode = 'there';
  store.watch();
  await expect.poll(() => fallback.countAll()).toBe(0);
  const target = await openPostgresStore(url, () => {});
  onTestFinished(() => target.close());
  expect((await target.findSubmission(reference))?.language).toBe('sm');
  expect((await target.readFigures(...ever)).languages).toMatchObject([{ language: 'sm', count: 1 }]);
});

describe('a submission of the version before', () => {
  function openBefore() {
    const dataDir = temporaryFolder();
    const path = join(dataDir, 'awhina.sqlite');
    using db = new DatabaseSync(path);
    db.exec(readFileSync('test/older-databases/schema-10.sql', 'utf8'));
    return { dataDir, path };
  }

  test('has no language after its transfer, also as a line of a backup', async () => {
    const { dataDir } = openBefore();
    const [before, target] = [
      await openSqliteStore(dataDir),
      await openPostgresStore(await createDatabase(), () => {}),
    ];
    onTestFinished(() => Promise.all([before.close(), target.close()]).then(() => {}));
    const [row, ...rows] = await before.claimForTransfer(new Date(), 99, new Date());
    if (!row) throw new Error('There was nothing to transfer');
    const { language: _none, ...line } = row;
    await target.importRows([parseTransferRow(JSON.stringify(line)), ...rows]);
    for (const { reference } of [row, ...rows])
      expect(await target.findSubmission(reference)).toMatchObject({ reference, language: null });
  });

  test('can be read out of a damaged file, as can the language of this version', async () => {
    const { path } = openBefore();
    expect([...salvageRows(path)].map(({ language }) => language)).toEqual(Array(7).fill(null));
    const dataDir = temporaryFolder();
    const store = await openSqliteStore(dataDir);
    await store.add(samoan());
    await store.close();
    expect([...salvageRows(join(dataDir, 'awhina.sqlite'))].map(({ language }) => language)).toEqual(['sm']);
  });
});

import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../../test/support/databases.ts';
import { prepareFallback, referenceOf } from '../../../../test/support/fallback.ts';
import { claimEscalations, claimReminders, referencesOf } from '../../../../test/support/jobs.ts';
import { anySubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { claimMail } from '../contract/mail-jobs.ts';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';

const prepare = () => prepareFallback();

test('a request that was mailed from the fallback is not mailed again after its transfer', async () => {
  const { store, fallback, database, rows } = await prepare();
  await store.check();
  database.mode = 'away';
  const reference = referenceOf(await store.add(anySubmission()));
  const [claim] = await claimMail(store, new Date(), 10, 60_000, 'new');
  expect(claim?.submission.reference).toBe(reference);
  database.mode = 'there';
  store.watch();
  await expect.poll(() => store.isAway).toBe(false);
  // While it is being sent it stays.
  expect(await fallback.countAll()).toBe(1);
  if (claim) expect(await store.finishDelivery(claim, new Date())).toBe(true);
  await expect.poll(() => fallback.countAll()).toBe(0);
  expect(await rows()).toMatchObject([{ reference, delivered: true }]);
});

test('an urgent request stays urgent after its transfer, and its escalation is not repeated', async () => {
  const { store, fallback, database, url } = await prepare();
  await store.check();
  database.mode = 'away';
  const late = new Date(Date.now() - 3_600_000);
  const reference = referenceOf(await store.add(anySubmission({ urgent: true, receivedAt: late })));
  const usual = referenceOf(await store.add(anySubmission({ receivedAt: late })));
  const claims = await claimEscalations(store, new Date());
  expect(referencesOf(claims)).toEqual([reference]);
  for (const claim of claims) await store.completeJob(claim);
  database.mode = 'there';
  store.watch();
  await expect.poll(() => fallback.countAll()).toBe(0);
  const target = await openPostgresStore(url, () => {});
  onTestFinished(() => target.close());
  expect((await target.findSubmission(reference))?.delivery.urgent).toBe(true);
  expect((await target.findSubmission(usual))?.delivery.urgent).toBe(false);
  expect(await claimEscalations(target, new Date())).toEqual([]);
  expect(referencesOf(await claimReminders(target, new Date()))).toEqual([reference]);
});

test('a request that is transferred twice, as after a kill, is there once, with its delivery', async () => {
  const { store, fallback, database, rows } = await prepare();
  database.mode = 'away';
  await store.check().catch(() => {});
  const reference = referenceOf(await store.add(anySubmission()));
  database.mode = 'there';
  await store.check();
  const until = new Date(Date.now() + 60_000);
  const [row] = await fallback.claimForTransfer(new Date(), 10, until);
  if (!row) throw new Error('There was nothing to move');
  const url = await createDatabase();
  const target = await openPostgresStore(url, () => {});
  onTestFinished(() => target.close());
  await target.importRows([row]);
  await target.importRows([{ ...row, deliveredAt: new Date().toISOString() }]);
  expect((await target.findSubmission(reference))?.delivery.deliveredAt).not.toBeNull();
  expect(await target.countSubmissions({})).toMatchObject({ total: 1 });
  expect(await rows()).toEqual([]);
});

test('a form that two servers stored under two references is there under both', async () => {
  const url = await createDatabase();
  const target = await openPostgresStore(url, () => {});
  const fallback = await openSqliteStore(temporaryFolder());
  onTestFinished(() => Promise.all([target.close(), fallback.close()]).then(() => {}));
  const sent = anySubmission();
  const there = referenceOf(await target.add(sent));
  const here = referenceOf(await fallback.add(sent));
  const rows = await fallback.claimForTransfer(new Date(), 10, new Date());
  await target.importRows(rows);
  await target.importRows(rows);
  expect((await target.findSubmission(there))?.reference).toBe(there);
  expect((await target.findSubmission(here))?.reference).toBe(here);
  expect(await target.countSubmissions({})).toMatchObject({ total: 2 });
});

test('a reference that another request has there gets a number behind it, and no request is lost', async () => {
  const url = await createDatabase();
  const target = await openPostgresStore(url, () => {});
  const fallback = await openSqliteStore(temporaryFolder());
  onTestFinished(() => Promise.all([target.close(), fallback.close()]).then(() => {}));
  const reference = 'HK7W-3RQX';
  await target.add(anySubmission({ reference }));
  await fallback.add(anySubmission({ reference }));
  const rows = await fallback.claimForTransfer(new Date(), 10, new Date());
  await target.importRows(rows);
  await target.importRows(rows);
  expect(await target.countSubmissions({})).toMatchObject({ total: 2 });
  expect(await target.findSubmission(`${reference}-2`)).not.toBeNull();
});

test('requests that another process put into the fallback are transferred too', async () => {
  const { store, fallback, rows } = await prepare();
  await store.check();
  store.watch();
  await expect.poll(() => store.holdsSubmissions).toBe(false);
  // As `awhina salvage` does while the database is away, or another server on the same folder.
  const reference = referenceOf(await fallback.add(anySubmission()));
  await expect.poll(() => rows()).toMatchObject([{ reference }]);
});

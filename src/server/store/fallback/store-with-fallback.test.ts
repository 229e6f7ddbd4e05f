import { expect, onTestFinished, test } from 'vitest';
import { administer, createDatabase, empty } from '../../../../test/support/databases.ts';
import { prepareFallback, referenceOf } from '../../../../test/support/fallback.ts';
import { anySubmission } from '../../../../test/support/stored-submissions.ts';
import { StoreUnavailable } from '../contract/errors.ts';
import { claimMail } from '../contract/mail-jobs.ts';
import { openPostgresStore } from '../postgres/postgres-store.ts';

const prepare = () => prepareFallback();

test('while the shared database is away, requests go into the fallback and are transferred later under the same references', async () => {
  const { store, fallback, database, rows } = await prepare();
  await store.check();
  const there = await store.add(anySubmission());
  database.mode = 'away';
  const here = [await store.add(anySubmission({ rank: 2 })), await store.add(anySubmission())];
  expect(store.isAway).toBe(true);
  expect((await rows()).map(({ reference }) => reference)).toEqual([referenceOf(there)]);
  expect(await fallback.countAll()).toBe(2);

  database.mode = 'there';
  store.watch();
  await expect.poll(() => fallback.countAll()).toBe(0);
  expect((await rows()).map(({ reference }) => reference)).toEqual([there, ...here].map(referenceOf));
  expect(store.isAway).toBe(false);
  const claims = await claimMail(store, new Date(), 10, 60_000, 'new');
  const order = [there, ...here.toReversed()].map(referenceOf);
  expect(claims.map(({ submission }) => submission.reference)).toEqual(order);
});

test('a canary stays one in the fallback and after its transfer', async () => {
  const { store, fallback, database } = await prepare();
  await store.check();
  database.mode = 'away';
  const canary = referenceOf(await store.add(anySubmission({ canary: true })));
  const persons = referenceOf(await store.add(anySubmission()));
  expect(await store.findCanary(canary)).not.toBeNull();
  expect(await fallback.countSubmissions({})).toMatchObject({ total: 1 });

  database.mode = 'there';
  store.watch();
  await expect.poll(() => fallback.countAll()).toBe(0);
  expect(await store.countSubmissions({})).toMatchObject({ total: 1 });
  expect(await store.findCanary(canary)).not.toBeNull();
  expect(await store.eraseCanaries('all')).toBe(1);
  expect(await store.findSubmission(persons)).not.toBeNull();
});

test('a request that the shared database stored without answering is there once', async () => {
  const { store, fallback, database, rows } = await prepare();
  await store.check();
  database.mode = 'mute';
  const added = await store.add(anySubmission());
  expect((await rows()).map(({ reference }) => reference)).toEqual([referenceOf(added)]);
  database.mode = 'there';
  store.watch();
  await expect.poll(() => fallback.countAll()).toBe(0);
  expect((await rows()).map(({ reference }) => reference)).toEqual([referenceOf(added)]);
});

test('a form that is sent again gets its first receipt, wherever that was given', async () => {
  const { store, fallback, database, rows } = await prepare();
  await store.check();
  const [one, other, twice] = [anySubmission(), anySubmission(), anySubmission()];
  const first = referenceOf(await store.add(one));
  database.mode = 'away';
  expect(referenceOf(await store.add(one))).toBe(first);
  const second = referenceOf(await store.add(other));
  expect(referenceOf(await store.add(other))).toBe(second);
  const both = await Promise.all([store.add(twice), store.add(twice)]);
  expect(new Set(both.map(referenceOf)).size).toBe(1);
  expect((await store.findByToken(other.tokenHash))?.receipt.reference).toBe(second);

  database.mode = 'there';
  store.watch();
  await expect.poll(() => fallback.countAll()).toBe(0);
  expect(referenceOf(await store.add(other))).toBe(second);
  expect(await rows()).toHaveLength(3);
});

test('all servers on a database share one secret', async () => {
  const url = await createDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(url, () => {})));
  onTestFinished(() => Promise.all(stores.map((store) => store.close())).then(() => {}));
  const secrets = await Promise.all(stores.map((store, n) => store.shareSecret('bot check', `secret ${n}`)));
  expect(new Set(secrets).size).toBe(1);
});

test('a failing fallback holds up neither a form nor the mail of the shared database', async () => {
  const { store, fallback } = await prepare();
  await store.check();
  const fails = () => Promise.reject(new StoreUnavailable('the disk is full'));
  Object.assign(fallback, {
    findByToken: fails,
    claimJobs: fails,
    findSubmissions: fails,
    tryWrite: fails,
    summariseUndelivered: fails,
  });
  const reference = referenceOf(await store.add(anySubmission()));
  const claims = await claimMail(store, new Date(), 10, 60_000, 'new');
  expect(claims.map((claim) => claim.submission.reference)).toEqual([reference]);
  await expect(store.tryWrite()).resolves.toBeUndefined();
  expect(await store.summariseUndelivered()).toMatchObject([{ form: 'contact', waiting: 1 }]);
});

test('a claim takes no more from both databases than from one', async () => {
  const { store, database } = await prepare();
  await store.check();
  for (let n = 0; n < 3; n++) await store.add(anySubmission());
  database.mode = 'away';
  for (let n = 0; n < 3; n++) await store.add(anySubmission());
  database.mode = 'there';
  await store.check();
  expect(await claimMail(store, new Date(), 4, 60_000, 'new')).toHaveLength(4);
  expect(await claimMail(store, new Date(), 4, 60_000, 'new')).toHaveLength(2);
});

test('what waited in the shared database is still reported while it is away', async () => {
  const { store, database } = await prepare();
  await store.check();
  await store.add(anySubmission());
  expect(await store.summariseUndelivered()).toMatchObject([{ waiting: 1 }]);
  database.mode = 'away';
  await store.add(anySubmission());
  expect(store.isAway).toBe(true);
  expect(await store.summariseUndelivered()).toMatchObject([{ waiting: 2 }]);
});

test('a database that was created anew gets its tables, and the requests of the meantime', async () => {
  const { store, rows, url } = await prepare();
  await store.check();
  store.watch();
  await store.add(anySubmission());
  const name = new URL(url).pathname.slice(1);
  await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  const reference = referenceOf(await store.add(anySubmission()));
  await administer(`CREATE DATABASE ${name}`);
  await expect.poll(() => rows().catch(() => [])).toMatchObject([{ reference }]);
});

test('a database that cannot hold all that people write is refused', async () => {
  const url = await createDatabase(`${empty} ENCODING 'LATIN1' LOCALE 'C'`);
  await expect(openPostgresStore(url, () => {})).rejects.toThrow('ENCODING');
});

import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { anySubmission } from '../../../../test/support/kept-submissions.ts';
import { startPostgres, type TestPostgres } from '../../../../test/support/postgres.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { StoreUnavailable } from '../contract/errors.ts';
import { openPostgresStore, type PostgresStore } from '../postgres/postgres-store.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import { createStoreWithFallback } from './store-with-fallback.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

/** A database that can be taken away and given back, by what it does with each addition. */
async function prepare() {
  const url = await postgres.createDatabase();
  const spare = await openSqliteStore(temporaryFolder());
  const database: { mode: 'there' | 'away' | 'mute' } = { mode: 'there' };
  const away = () => new StoreUnavailable('taken away');
  const moved: number[] = [];
  const store = createStoreWithFallback({
    description: 'PostgreSQL',
    fallback: spare,
    now: () => new Date(),
    async connect(): Promise<PostgresStore> {
      if (database.mode !== 'there') throw away();
      const real = await openPostgresStore(url, () => {});
      const guard = async <T>(work: () => Promise<T>): Promise<T> => {
        if (database.mode === 'away') throw away();
        const result = await work();
        // It was done, and the answer got lost.
        if (database.mode === 'mute') throw away();
        return result;
      };
      return {
        ...real,
        add: (one) => guard(() => real.add(one)),
        tryWrite: () => guard(() => real.tryWrite()),
        importRows: (rows) => guard(() => real.importRows(rows)),
        claimDueDeliveries: (...given) => guard(() => real.claimDueDeliveries(...given)),
      };
    },
    onAway: () => {},
    onStillAway: () => {},
    onBack: async () => {},
    onTransferred: (count) => moved.push(count),
    onTransferFailed: () => {},
  });
  onTestFinished(() => store.close());
  async function rows(): Promise<{ reference: string; token_hash: string; delivered: boolean }[]> {
    const client = new pg.Client(url);
    // A database that is just dropped or made anew ends connections.
    client.on('error', () => {});
    await client.connect();
    const sql = `SELECT reference, token_hash, delivered_at IS NOT NULL AS delivered
      FROM submissions s JOIN deliveries v ON v.submission = s.id ORDER BY s.id`;
    const found = await client.query(sql);
    await client.end();
    return found.rows;
  }
  return { store, spare, database, moved, rows, url };
}

const referenceOf = (added: Awaited<ReturnType<Awaited<ReturnType<typeof prepare>>['store']['add']>>) =>
  added.added ? added.receipt.reference : added.spent.receipt.reference;

test('while the database is away, requests are kept here; when it is back they go there, under their names', async () => {
  const { store, spare, database, rows } = await prepare();
  await store.check();
  const there = await store.add(anySubmission());
  database.mode = 'away';
  const here = [await store.add(anySubmission({ rank: 2 })), await store.add(anySubmission())];
  expect(store.isAway).toBe(true);
  expect((await rows()).map(({ reference }) => reference)).toEqual([referenceOf(there)]);
  expect(await spare.countAll()).toBe(2);

  database.mode = 'there';
  store.watch();
  await expect.poll(() => spare.countAll(), { timeout: 20_000 }).toBe(0);
  expect((await rows()).map(({ reference }) => reference)).toEqual([there, ...here].map(referenceOf));
  expect(store.isAway).toBe(false);
  const claims = await store.claimDueDeliveries(new Date(), 10, 60_000, 'never');
  const order = [there, ...here.toReversed()].map(referenceOf);
  expect(claims.map(({ submission }) => submission.reference)).toEqual(order);
});

test('the site’s own request stays one in the spare and after it; none is begun while the database is away', async () => {
  const { store, spare, database } = await prepare();
  await store.check();
  database.mode = 'away';
  const canary = referenceOf(await store.add(anySubmission({ canary: true })));
  const persons = referenceOf(await store.add(anySubmission()));
  expect(await store.findCanary(canary)).not.toBeNull();
  expect(await store.claimCanary(new Date(), new Date(), 60_000)).toBeNull();
  expect(await spare.countSubmissions({})).toMatchObject({ total: 1 });

  database.mode = 'there';
  store.watch();
  await expect.poll(() => spare.countAll(), { timeout: 20_000 }).toBe(0);
  expect(await store.countSubmissions({})).toMatchObject({ total: 1 });
  expect(await store.findCanary(canary)).not.toBeNull();
  expect(await store.claimCanary(new Date(), new Date(), 60_000)).not.toBeNull();
  expect(await store.eraseCanaries('all')).toBe(1);
  expect(await store.findSubmission(persons)).not.toBeNull();
});

test('one that the database kept without being able to say so is the same request, and there once', async () => {
  const { store, spare, database, rows } = await prepare();
  await store.check();
  database.mode = 'mute';
  const added = await store.add(anySubmission());
  expect((await rows()).map(({ reference }) => reference)).toEqual([referenceOf(added)]);
  database.mode = 'there';
  store.watch();
  await expect.poll(() => spare.countAll(), { timeout: 20_000 }).toBe(0);
  expect((await rows()).map(({ reference }) => reference)).toEqual([referenceOf(added)]);
});

test('a form that is sent again gets its first receipt, wherever that was given', async () => {
  const { store, spare, database, rows } = await prepare();
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
  await expect.poll(() => spare.countAll(), { timeout: 20_000 }).toBe(0);
  expect(referenceOf(await store.add(other))).toBe(second);
  expect(await rows()).toHaveLength(3);
});

test('what was mailed from here is not mailed again from there', async () => {
  const { store, spare, database, rows } = await prepare();
  await store.check();
  database.mode = 'away';
  const reference = referenceOf(await store.add(anySubmission()));
  const [claim] = await store.claimDueDeliveries(new Date(), 10, 60_000, 'never');
  expect(claim?.submission.reference).toBe(reference);
  database.mode = 'there';
  store.watch();
  await expect.poll(() => store.isAway, { timeout: 20_000 }).toBe(false);
  // While it is being sent it stays.
  expect(await spare.countAll()).toBe(1);
  if (claim) expect(await store.finishDelivery(claim, new Date())).toBe(true);
  await expect.poll(() => spare.countAll(), { timeout: 20_000 }).toBe(0);
  expect(await rows()).toMatchObject([{ reference, delivered: true }]);
});

test('what is urgent is so there too, and nobody is told a second time that it is late', async () => {
  const { store, spare, database, url } = await prepare();
  await store.check();
  database.mode = 'away';
  const late = new Date(Date.now() - 3_600_000);
  const reference = referenceOf(await store.add(anySubmission({ urgent: true, receivedAt: late })));
  const usual = referenceOf(await store.add(anySubmission({ receivedAt: late })));
  const escalated = await store.claimEscalations(new Date(), 60_000);
  expect(escalated.map((one) => one.reference)).toEqual([reference]);
  database.mode = 'there';
  store.watch();
  await expect.poll(() => spare.countAll(), { timeout: 20_000 }).toBe(0);
  const target = await openPostgresStore(url, () => {});
  onTestFinished(() => target.close());
  expect((await target.findSubmission(reference))?.delivery.urgent).toBe(true);
  expect((await target.findSubmission(usual))?.delivery.urgent).toBe(false);
  expect(await target.claimEscalations(new Date(), 60_000)).toEqual([]);
});

test('moved twice, as after a kill in between, it is there once, with what was delivered since', async () => {
  const { store, spare, database, rows } = await prepare();
  database.mode = 'away';
  await store.check().catch(() => {});
  const reference = referenceOf(await store.add(anySubmission()));
  database.mode = 'there';
  await store.check();
  const until = new Date(Date.now() + 60_000);
  const [row] = await spare.claimForTransfer(new Date(), 10, until);
  if (!row) throw new Error('There was nothing to move');
  const url = await postgres.createDatabase();
  const target = await openPostgresStore(url, () => {});
  onTestFinished(() => target.close());
  await target.importRows([row]);
  await target.importRows([{ ...row, deliveredAt: new Date().toISOString() }]);
  expect((await target.findSubmission(reference))?.delivery.deliveredAt).not.toBeNull();
  expect(await target.countSubmissions({})).toMatchObject({ total: 1 });
  expect(await rows()).toEqual([]);
});

test('a form that two servers kept under two names is there under both', async () => {
  const url = await postgres.createDatabase();
  const target = await openPostgresStore(url, () => {});
  const spare = await openSqliteStore(temporaryFolder());
  onTestFinished(() => Promise.all([target.close(), spare.close()]).then(() => {}));
  const sent = anySubmission();
  const there = referenceOf(await target.add(sent));
  const here = referenceOf(await spare.add(sent));
  const rows = await spare.claimForTransfer(new Date(), 10, new Date());
  await target.importRows(rows);
  await target.importRows(rows);
  expect((await target.findSubmission(there))?.reference).toBe(there);
  expect((await target.findSubmission(here))?.reference).toBe(here);
  expect(await target.countSubmissions({})).toMatchObject({ total: 2 });
});

test('a reference that is somebody else’s there gets a number behind it, and nobody’s request is lost', async () => {
  const url = await postgres.createDatabase();
  const target = await openPostgresStore(url, () => {});
  const spare = await openSqliteStore(temporaryFolder());
  onTestFinished(() => Promise.all([target.close(), spare.close()]).then(() => {}));
  const reference = 'HK7W-3RQX';
  await target.add(anySubmission({ reference }));
  await spare.add(anySubmission({ reference }));
  const rows = await spare.claimForTransfer(new Date(), 10, new Date());
  await target.importRows(rows);
  await target.importRows(rows);
  expect(await target.countSubmissions({})).toMatchObject({ total: 2 });
  expect(await target.findSubmission(`${reference}-2`)).not.toBeNull();
});

test('all servers on a database share a secret, whoever comes first', async () => {
  const url = await postgres.createDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(url, () => {})));
  onTestFinished(() => Promise.all(stores.map((store) => store.close())).then(() => {}));
  const secrets = await Promise.all(stores.map((store, n) => store.shareSecret('bot check', `secret ${n}`)));
  expect(new Set(secrets).size).toBe(1);
});

test('what others put into the spare is found there and moved too', async () => {
  const { store, spare, rows } = await prepare();
  await store.check();
  store.watch();
  await expect.poll(() => store.holdsSubmissions, { timeout: 20_000 }).toBe(false);
  // As `awhina salvage` does while the database is away, or another server on the same folder.
  const reference = referenceOf(await spare.add(anySubmission()));
  await expect.poll(() => rows(), { timeout: 20_000 }).toMatchObject([{ reference }]);
});

test('a spare that fails holds up neither a form nor the mail of a database that does not', async () => {
  const { store, spare } = await prepare();
  await store.check();
  const fails = () => Promise.reject(new StoreUnavailable('the disk is full'));
  Object.assign(spare, {
    findByToken: fails,
    claimDueDeliveries: fails,
    tryWrite: fails,
    summariseUndelivered: fails,
  });
  const reference = referenceOf(await store.add(anySubmission()));
  const claims = await store.claimDueDeliveries(new Date(), 10, 60_000, 'never');
  expect(claims.map((claim) => claim.submission.reference)).toEqual([reference]);
  await expect(store.tryWrite()).resolves.toBeUndefined();
  expect(await store.summariseUndelivered()).toMatchObject([{ form: 'contact', waiting: 1 }]);
});

test('what waited in the database when it went is not forgotten while it is away', async () => {
  const { store, database } = await prepare();
  await store.check();
  await store.add(anySubmission());
  expect(await store.summariseUndelivered()).toMatchObject([{ waiting: 1 }]);
  database.mode = 'away';
  await store.add(anySubmission());
  expect(store.isAway).toBe(true);
  expect(await store.summariseUndelivered()).toMatchObject([{ waiting: 2 }]);
});

test('a database that was made anew gets its tables, and what was kept meanwhile', async () => {
  const { store, rows, url } = await prepare();
  await store.check();
  store.watch();
  await store.add(anySubmission());
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  const reference = referenceOf(await store.add(anySubmission()));
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  await expect.poll(() => rows().catch(() => []), { timeout: 30_000 }).toMatchObject([{ reference }]);
});

test('a database that cannot hold all that people write is refused', async () => {
  const client = new pg.Client(postgres.url);
  await client.connect();
  await client.query(`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'`);
  await client.end();
  const url = postgres.url.replace(/postgres$/, 'latin');
  await expect(openPostgresStore(url, () => {})).rejects.toThrow('ENCODING');
});

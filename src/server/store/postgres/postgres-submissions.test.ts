import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../../test/support/databases.ts';
import { anySubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { StoreUnavailable } from '../contract/errors.ts';
import type { Added } from '../contract/submission.ts';
import { createStoreWithFallback } from '../fallback/store-with-fallback.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import { openPostgresStore } from './postgres-store.ts';

const many = (count: number) => Array.from({ length: count }, () => anySubmission());
const patient = { timeout: 20_000 };

async function prepare() {
  const url = await createDatabase();
  const store = await openPostgresStore(url, () => {});
  // A second connection, which reads the tables and holds locks beside the store.
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await store.close();
  });
  const rows = async (sql: string) => (await client.query(sql)).rows;
  const counted = async () =>
    Number((await rows(`SELECT count(*) AS n FROM submissions WHERE counts <> ''`))[0].n);
  return { url, store, client, rows, counted };
}

/** Ends the connection that waits for the lock of this client, in the middle of a batch. */
async function endWaiting(client: pg.Client): Promise<void> {
  const sql = `SELECT count(pg_terminate_backend(pid))::integer AS ended FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await client.query(sql)).rows[0].ended, patient).toBe(1);
}

const referenceOf = (added: Added) => (added.added ? added.receipt.reference : added.spent.receipt.reference);

test('forms that come in while one is written share one transaction, and are counted one by one', async () => {
  const { store, rows, counted } = await prepare();
  const added = await Promise.all(many(30).map((one) => store.add(one)));
  expect(added.every((one) => one.added)).toBe(true);
  const [found] = await rows(
    'SELECT count(*)::integer AS stored, count(DISTINCT xmin::text)::integer AS groups FROM submissions',
  );
  expect(found).toEqual({ stored: 30, groups: 2 });
  expect(await rows('SELECT 1 FROM jobs')).toHaveLength(30);
  expect(await counted()).toBe(30);
});

test('the trial of a write leaves nothing behind, and fails where a delivery could not be stored', async () => {
  const { store, client, rows } = await prepare();
  await store.tryWrite();
  expect(await rows('SELECT 1 FROM submissions UNION ALL SELECT 1 FROM jobs')).toEqual([]);
  await client.query('ALTER TABLE jobs ADD CONSTRAINT no_rows CHECK (false) NOT VALID');
  await expect(store.tryWrite()).rejects.toThrow(StoreUnavailable);
});

test('a form that the database rejects refuses no other form of its batch', async () => {
  const { store, rows, counted } = await prepare();
  const bad = anySubmission({ answersHash: 'a\0b' });
  const group = [...many(10), bad, ...many(10)];
  const results = await Promise.allSettled(group.map((one) => store.add(one)));
  const refused = results.flatMap((result, index) =>
    result.status === 'rejected' ? [{ ...result, index }] : [],
  );
  expect(refused).toEqual([expect.objectContaining({ index: 10, reason: expect.any(StoreUnavailable) })]);
  expect(await rows('SELECT 1 FROM submissions JOIN jobs ON submission = submissions.id')).toHaveLength(20);
  expect(await counted()).toBe(20);
  expect(await store.add(anySubmission())).toMatchObject({ added: true });
});

test('two forms that would get the same reference get one each', async () => {
  const { store, rows } = await prepare();
  const group = [
    anySubmission(),
    ...Array.from({ length: 3 }, () => anySubmission({ reference: 'HK7W-3RQX' })),
  ];
  const references = (await Promise.all(group.map((one) => store.add(one)))).map(referenceOf);
  expect(new Set(references).size).toBe(4);
  expect(references).toContain('HK7W-3RQX');
  const stored = await rows('SELECT reference, token_hash AS token FROM submissions');
  expect(stored).toHaveLength(4);
  for (const [index, { tokenHash }] of group.entries())
    expect(stored).toContainEqual({ reference: references[index], token: tokenHash });
});

test('a form that is sent many times at once is stored and counted once, and so are the others of its batch', async () => {
  const { store, rows, counted } = await prepare();
  const same = anySubmission();
  const others = many(10);
  const added = await Promise.all([same, ...others, same, same].map((one) => store.add(one)));
  expect(added.filter((one) => one.added)).toHaveLength(11);
  expect(new Set(added.map(referenceOf)).size).toBe(11);
  expect(await rows('SELECT 1 FROM submissions')).toHaveLength(11);
  expect(await counted()).toBe(11);
});

test('a form whose connection is lost before the commit is refused; nothing of it is stored, and a resend is stored once', async () => {
  const { store, client, rows, counted } = await prepare();
  const group = many(12);
  await client.query('BEGIN; LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE');
  const adding = Promise.allSettled(group.map((one) => store.add(one)));
  await endWaiting(client);
  const results = await adding;
  expect(results.map(({ status }) => status)).toEqual(group.map(() => 'rejected'));
  await client.query('COMMIT');
  expect(await rows('SELECT 1 FROM submissions')).toEqual([]);

  const again = await Promise.all(group.map((one) => store.add(one)));
  expect(again.every((one) => one.added)).toBe(true);
  expect(await rows('SELECT 1 FROM submissions JOIN jobs ON submission = submissions.id')).toHaveLength(12);
  expect(await counted()).toBe(12);
});

test('with a fallback no lost connection refuses a form, and each is stored once in the end', async () => {
  const { url, client, rows, counted } = await prepare();
  const fallback = await openSqliteStore(temporaryFolder());
  const store = createStoreWithFallback({
    description: 'PostgreSQL',
    fallback,
    now: () => new Date(),
    connect: () => openPostgresStore(url, () => {}),
    onAway: () => {},
    onStillAway: () => {},
    onBack: async () => {},
    onTransferred: () => {},
    onTransferFailed: () => {},
  });
  onTestFinished(() => store.close());
  await store.check();
  await client.query('BEGIN; LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE');
  const adding = Promise.all(many(12).map((one) => store.add(one)));
  await endWaiting(client);
  const references = (await adding).map(referenceOf);
  await client.query('COMMIT');
  expect(await fallback.countAll()).toBe(12);

  store.watch();
  await expect.poll(() => fallback.countAll(), patient).toBe(0);
  const stored = await rows('SELECT reference FROM submissions JOIN jobs ON submission = submissions.id');
  expect(stored.map(({ reference }) => reference).toSorted()).toEqual(references.toSorted());
  expect(await counted()).toBe(12);
});

test('a database that is slow at each step counts as away for a visitor, and stores nothing of the form', async () => {
  const { store, client, rows } = await prepare();
  await client.query(`
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3.5); RETURN NULL; END';
    CREATE TRIGGER slow AFTER INSERT ON submissions FOR EACH STATEMENT EXECUTE FUNCTION slow();
    CREATE TRIGGER slow AFTER INSERT ON jobs FOR EACH STATEMENT EXECUTE FUNCTION slow()`);
  await expect(store.add(anySubmission())).rejects.toThrow(StoreUnavailable);
  expect(await rows('SELECT 1 FROM submissions')).toEqual([]);
});

test('where the database goes away while forms are written one by one, the other forms are refused at once', async () => {
  const { store, client, rows } = await prepare();
  await client.query(`
    CREATE SEQUENCE groups; CREATE SEQUENCE singles;
    CREATE FUNCTION break() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM given) > 1 THEN
        PERFORM nextval('groups');
        RAISE EXCEPTION USING ERRCODE = '22000';
      ELSIF (SELECT is_called FROM groups) THEN
        PERFORM nextval('singles');
        PERFORM pg_terminate_backend(pg_backend_pid());
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER break AFTER INSERT ON submissions REFERENCING NEW TABLE AS given
      FOR EACH STATEMENT EXECUTE FUNCTION break()`);
  const results = await Promise.allSettled(many(10).map((one) => store.add(one)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', ...Array(9).fill('rejected')]);
  expect(await rows('SELECT last_value::integer AS tried FROM singles')).toEqual([{ tried: 1 }]);
});

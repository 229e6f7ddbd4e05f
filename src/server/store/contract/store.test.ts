import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../../test/support/databases.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { anySubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { openDatabase } from '../sqlite/database-file.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import { StoreUnavailable } from './errors.ts';
import type { SubmissionStore } from './store.ts';
import type { NewSubmission } from './submission.ts';

interface Opened {
  open(): Promise<SubmissionStore>;
  /** Looks past the store, into its tables. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

const databases: Record<string, () => Promise<Opened>> = {
  SQLite: async () => {
    const folder = temporaryFolder();
    return {
      open: async () => closedAfter(await openSqliteStore(folder)),
      async rows(sql) {
        using db = new DatabaseSync(`${folder}/awhina.sqlite`);
        return db.prepare(sql).all();
      },
    };
  },
  PostgreSQL: async () => {
    const url = await createDatabase();
    return {
      open: async () => closedAfter(await openPostgresStore(url, () => {})),
      async rows(sql) {
        const client = new pg.Client(url);
        await client.connect();
        const { rows } = await client.query(sql);
        await client.end();
        return rows;
      },
    };
  },
};

function closedAfter(store: SubmissionStore): SubmissionStore {
  onTestFinished(() => store.close());
  return store;
}

const form = shippedContent.forms.contact;
const submission = (changes: Partial<NewSubmission> = {}) =>
  anySubmission({ receivedAt: new Date('2026-03-01T02:03:04.005Z'), ...changes });

describe.each(Object.entries(databases))('%s', (_name, prepare) => {
  test('a submission is stored with its answers, its form as it was asked, and the job of mailing it', async () => {
    const { open, rows } = await prepare();
    const store = await open();
    const result = await store.add(submission({ verdict: { kind: 'low-score', score: 0.2 } }));

    const [stored, ...others] = await rows(`
      SELECT s.*, d.definition AS asked, j.kind, j.attempts, j.due_at
      FROM submissions s JOIN definitions d ON d.hash = s.definition JOIN jobs j ON j.submission = s.id`);
    expect(others).toEqual([]);
    expect(result).toEqual({
      added: true,
      receipt: { reference: stored?.reference, receivedAt: '2026-03-01T02:03:04.005Z' },
    });
    expect(JSON.parse(String(stored?.answers))).toEqual([{ key: 'Message', value: 'Sample' }]);
    expect(JSON.parse(String(stored?.asked))).toEqual(form.definition);
    expect(JSON.parse(String(stored?.verdict))).toEqual({ kind: 'low-score', score: 0.2 });
    expect(stored).toMatchObject({ form: 'contact', attempts: 0, accepted_at: null, kind: 'mail' });
    expect(new Date(stored?.due_at as string).toISOString()).toBe('2026-03-01T02:03:04.005Z');
  });

  test('fifty parallel uses of one token make one submission', async () => {
    const { open, rows } = await prepare();
    const stores = [await open(), await open()];
    const one = submission();
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => stores[index % 2]?.add(one)));
    expect(results.filter((result) => result?.added)).toHaveLength(1);
    expect(await rows('SELECT 1 FROM submissions')).toHaveLength(1);
    expect(await rows('SELECT 1 FROM jobs')).toHaveLength(1);
  });

  test('a spent token tells what it was spent on, and an unspent one nothing', async () => {
    const { open } = await prepare();
    const store = await open();
    const first = submission();
    const added = await store.add(first);
    const receipt = added.added && added.receipt;
    expect(await store.findByToken(first.tokenHash)).toEqual({ answersHash: first.answersHash, receipt });
    expect(await store.add({ ...first, answersHash: 'other' })).toEqual({
      added: false,
      spent: { answersHash: first.answersHash, receipt },
    });
    expect(await store.findByToken('unspent')).toBeNull();
  });

  test('anything that can be typed comes back as it was', async () => {
    const { open, rows } = await prepare();
    const answers = [{ key: 'Message', value: 'Kōwhai 🌼 \u0000 \ud800 \u202e "quoted" \\ \r\n' }];
    await (await open()).add(submission({ answers }));
    const [row] = await rows('SELECT answers FROM submissions');
    expect(JSON.parse(String(row?.answers))).toEqual(answers);
  });

  test('a stored submission is there when the store is opened again', async () => {
    const { open } = await prepare();
    const first = await open();
    const one = submission();
    await first.add(one);
    await first.close();
    expect(await (await open()).findByToken(one.tokenHash)).not.toBeNull();
  });

  test('a form that was reworded is stored in both wordings', async () => {
    const { open, rows } = await prepare();
    const store = await open();
    await store.add(submission());
    await store.add(submission());
    await store.add(submission({ form: { ...form, hash: 'another wording' } }));
    expect(await rows('SELECT 1 FROM definitions')).toHaveLength(2);
  });

  test('a trial makes every write of a submission, also beside other trials, and leaves nothing behind but its form', async () => {
    const { open, rows } = await prepare();
    const [store, other] = [await open(), await open()];
    await Promise.all([store.tryWrite(), other.tryWrite(), store.tryWrite()]);
    for (const table of ['submissions', 'jobs', 'counts'])
      expect(await rows(`SELECT * FROM ${table}`)).toEqual([]);
    expect(await rows('SELECT hash FROM definitions')).toEqual([{ hash: 'trial' }]);
  });
});

test('servers that open SQLite at once apply each migration once', async () => {
  const folder = temporaryFolder();
  const stores = await Promise.all(
    Array.from({ length: 4 }, () => openSqliteStore(folder).then(closedAfter)),
  );
  for (const store of stores) expect(await store.add(submission())).toMatchObject({ added: true });
});

test('SQLite syncs every commit: write-ahead log, level FULL', () => {
  const { db } = openDatabase(temporaryFolder(), { waitMs: 100, inspect: true, migrates: true });
  onTestFinished(() => db.close());
  expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
});

test('PostgreSQL that may lose a commit is refused at the start', async () => {
  const url = await createDatabase();
  const unsafe = `${url}?options=-c%20synchronous_commit%3Doff`;
  await expect(openPostgresStore(unsafe, () => {})).rejects.toThrow('synchronous_commit = off');
});

test('a lock that another process holds too long means try again, and nothing is stored in part', async () => {
  const folder = temporaryFolder();
  const store = closedAfter(await openSqliteStore(folder));
  using other = new DatabaseSync(`${folder}/awhina.sqlite`);
  other.exec('BEGIN IMMEDIATE');
  const one = submission();
  await expect(store.add(one)).rejects.toThrow(StoreUnavailable);
  other.exec('ROLLBACK');
  expect(await store.findByToken(one.tokenHash)).toBeNull();
  expect(await store.add(one)).toMatchObject({ added: true });
});

test('the log beside the database is cut back once a long reader is gone', async () => {
  const folder = temporaryFolder();
  const store = closedAfter(await openSqliteStore(folder));
  const size = () => statSync(`${folder}/awhina.sqlite-wal`).size;
  const long = [{ key: 'Message', value: 'x'.repeat(60_000) }];
  const addSome = async () => {
    for (let n = 0; n < 200; n++) await store.add(submission({ answers: long }));
  };
  {
    using reader = new DatabaseSync(`${folder}/awhina.sqlite`);
    reader.exec('BEGIN; SELECT count(*) FROM submissions');
    await addSome();
    expect(size()).toBeGreaterThan(8 * 1024 * 1024);
  }
  await addSome();
  expect(size()).toBeLessThanOrEqual(5 * 1024 * 1024);
});

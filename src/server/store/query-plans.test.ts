import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../test/support/databases.ts';
import { reminderKinds } from '../../../test/support/jobs.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { formNames } from '../../model/form-field.ts';
import type { Archive } from './contract/archive.ts';
import type { CanaryStore } from './contract/canary-store.ts';
import type { DeliveryQueue } from './contract/delivery-queue.ts';
import type { FollowUps } from './contract/follow-ups.ts';
import type { Jobs } from './contract/jobs.ts';
import { claimMail, postponeMail } from './contract/mail-jobs.ts';
import type { SubmissionFilter } from './contract/submission.ts';
import { alertKinds, doubtfulRank } from './contract/submission-jobs.ts';
import type { Times } from './contract/times.ts';
import {
  createOperations as createPostgresOperations,
  openPostgresStore,
} from './postgres/postgres-store.ts';
import type { Query } from './rows/sql.ts';
import { databasePath } from './sqlite/database-file.ts';
import { createOperations as createSqliteOperations } from './sqlite/sqlite-operations.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';

/**
 * What is asked all the time costs the same with a million requests as with ten: no plan goes through all of them. Counting
 * all, an export and a backup do, as they must, and are not in here.
 */

const storedCount = 4_000;
const now = new Date('2026-11-17T00:00:00.000Z');
const before = new Date('2026-10-01T00:00:00.000Z');
const filters: SubmissionFilter[] = [
  {},
  { since: now },
  { since: before, until: now },
  { undelivered: true },
];

/** Few beside all that is stored, or read newest first and no further than needed. */
const small = ['submissions_unaccepted', 'submissions_canary', 'submissions_open', 'submissions_unseen'];
const newestFirst = /ORDER BY s\.received_at DESC, s\.id DESC LIMIT 200$/;

/** A statement goes through a whole table, or through an index of all of it. */
function scansAll(sql: string, steps: readonly string[]): boolean {
  return steps.some((step) => {
    const found = /^SCAN (?:submissions|jobs|s|j)(?: USING (?:COVERING )?INDEX (\w+))?$/.exec(step);
    if (!found || small.includes(found[1] ?? '')) return false;
    return !(found[1] === 'submissions_received' && newestFirst.test(sql));
  });
}

/** Every statement there is by then, as it was prepared. */
function recordStatements(db: DatabaseSync): Set<string> {
  const statements = new Set<string>();
  const prepare = db.prepare.bind(db);
  db.prepare = (sql, ...options) => {
    statements.add(sql);
    return prepare(sql, ...options);
  };
  return statements;
}

/** Takes some of those that nobody is sending, in the order in which they lie: from the first on until it has enough. */
const moves = /SELECT 'transfer', 'transfer:'/;

type Asked = Omit<DeliveryQueue, 'finishDelivery'> &
  FollowUps &
  Omit<Archive, 'iterateSubmissions'> &
  CanaryStore &
  Jobs &
  Times;

/** What servers ask every few seconds or minutes, and what staff ask by a reference. */
async function askAll(store: Asked): Promise<void> {
  const job = { kind: 'letter', key: 'letter:help', dueAt: now };
  await store.addJob(job);
  await store.scheduleJob({ ...job, dueAt: before }, now);
  await store.findJob(job.key);
  const which = { kinds: [job.kind, ...alertKinds], limit: 10, leaseMs: 1_000, longestMs: 60_000 };
  for (const claim of await store.claimJobs(which, now)) {
    await store.postponeJob(claim, { dueAt: now });
    await store.completeJob(claim);
  }
  await store.recordTime('mailbox help', now);
  await store.findTime('mailbox help');
  await store.findSubmission('R7');
  await store.findTimes();
  await store.recordClockFault(now);
  await store.recordErasing(now);
  await store.summariseUndelivered();
  for (const which of ['new', 'retry', 'held'] as const)
    for (const claim of await claimMail(store, now, 10, 60_000, which))
      await postponeMail(store, claim, now, 'later');
  await store.retryDeliveries({ reference: 'R9' }, now);
  await store.retryDeliveries('all', now);
  await store.listOpen(100);
  await store.outlineOpen(100, formNames);
  await store.recordNamed(['R9'], now);
  await store.summariseOpen();
  await store.summariseUnseen({ help: now, contact: now }, now);
  const reminders = { kinds: reminderKinds(), longestMs: 60_000 };
  await store.countJobs(reminders, now);
  await store.deferJobs({ ...reminders, fromRank: doubtfulRank }, now, now);
  await store.replaceJob({ kind: 'alert again', key: 'alert:R9', dueAt: now, reference: 'R9' });
  await store.findFailing(alertKinds);
  await store.findSubmissions(['R7', 'R8']);
  for (const step of ['taken', 'answered', 'no-contact', 'withdrawn'] as const) {
    await store.recordStep(`R${storedCount - 3}`, step, 'AB', now);
    await store.undoStep(`R${storedCount - 3}`, step, now);
  }
  await store.findCanary('R7');
  await store.eraseCanaries('all');
  await store.eraseCanaries({ before, now });
  await store.eraseOne('R8', now);
  await store.addChange(`R${storedCount - 3}`, { at: now, by: 'AB', said: 'unreached' });
  await store.eraseSubmissions(['A'], 'withdrawn');
  for (const rule of ['seen', 'unseen', 'delivered', 'withdrawn'] as const)
    await store.listExpired({ rule, until: before, untouchedSince: before }, 100, ['R10']);
  await store.recordRead([`R${storedCount - 3}`], now);
  await store.eraseUnseen([`R${storedCount - 6}`], now);
  await store.reopenUnread([`R${storedCount - 7}`]);
  await store.startUnseenLimit(90, now);
  await store.listLosses();
  await store.confirmLosses([{ day: '2026-11-17', form: 'help', count: 1, total: 1 }]);
  await store.eraseSubmissions(['A']);
}

test('SQLite answers frequent queries by an index', async () => {
  const dataDir = temporaryFolder();
  await (await openSqliteStore(dataDir)).close();
  const db = new DatabaseSync(databasePath(dataDir));
  onTestFinished(() => db.close());
  const statements = recordStatements(db);
  const store = createSqliteOperations(db);
  for (const filter of filters)
    for (const last of [null, { receivedAt: now, id: 5 }]) await store.readPage(filter, last);
  await askAll(store);
  await store.tryWrite();
  await store.claimCounts();

  const planned = [...statements].filter((sql) => !sql.startsWith('PRAGMA') && !moves.test(sql));
  expect(planned.length).toBeGreaterThan(40);
  const explain = (sql: string) =>
    db
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  expect(planned.filter((sql) => scansAll(sql, explain(sql)))).toEqual([]);
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** How many requests or jobs a plan read when it was run. */
function rowsRead(plan: Plan): number {
  const isTable = ['submissions', 'jobs'].includes(plan['Relation Name'] ?? '');
  const each =
    plan['Actual Rows'] +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0);
  // A statement that writes names its table once more, above what reads it.
  const own = isTable && plan['Node Type'].endsWith('Scan') ? each * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, inner) => sum + rowsRead(inner), own);
}

/** All but the last twenty were delivered and answered, an hour after each other; one of those is parked, one urgent. */
const fill = `
  INSERT INTO definitions VALUES ('form', 'help', '[]');
  INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at, accepted_at, answered_at, urgent)
  SELECT 'R' || n, 'help', 'form', '[]', '{}', 'T' || n, 'A' || n, at, CASE WHEN isOld THEN at END, CASE WHEN isOld THEN at END, n = ${storedCount - 3}
  FROM (SELECT n, n <= ${storedCount - 20} AS isOld, '2026-11-16'::timestamptz - (${storedCount} - n) * interval '1 hour' AS at
    FROM generate_series(1, ${storedCount}) n) made;
  INSERT INTO jobs (kind, key, submission, due_at)
  SELECT CASE WHEN id = ${storedCount - 5} THEN 'mail refused' ELSE 'mail' END, 'mail:' || reference, id, received_at
  FROM submissions WHERE accepted_at IS NULL`;

test('PostgreSQL reads no more rows for a frequent query than the answer needs', async () => {
  const url = await createDatabase();
  await (await openPostgresStore(url, () => {})).close();
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // A pool's end waits for no connection: the database ends this one while it says goodbye, and the pool must be heard.
  pool.on('error', () => {});
  onTestFinished(() => pool.end());
  await pool.query(fill);
  await pool.query('VACUUM ANALYZE');
  // So few are read quickest as a whole; what counts is that they need not be.
  await pool.query('SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off');

  const most: { read: number; text: string }[] = [];
  /** Runs it twice: the first time is taken back, and tells what was read. */
  const query: Query = async (text, values = []) => {
    await pool.query('BEGIN');
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
    await pool.query('ROLLBACK');
    most.push({ read: rowsRead(rows[0]['QUERY PLAN'][0].Plan), text });
    return pool.query(text, [...values]);
  };
  const store = createPostgresOperations(pool, query);

  for (const filter of filters) {
    let left = 250;
    for await (const _ of store.iterateSubmissions(filter)) if (--left === 0) break;
  }
  await store.findByToken('T7');
  const old = await store.listExpired({ rule: 'delivered', until: before, untouchedSince: before }, 100);
  expect(old).toHaveLength(100);
  await askAll(store);
  await store.eraseSubmissions(old);

  expect(most.length).toBeGreaterThan(25);
  await pool.query(`
    DELETE FROM jobs;
    INSERT INTO jobs (kind, key, submission, due_at) SELECT 'mail', 'mail:' || reference, id, received_at FROM submissions`);
  await pool.query('VACUUM ANALYZE');
  // However long the queue is, a claim reads what it takes, once among the urgent and once among the others.
  for (const which of ['new', 'retry', 'held'] as const) await claimMail(store, now, 10, 60_000, which);
  const claims = most.slice(-5).filter(({ text }) => text.includes('SKIP LOCKED'));
  expect(claims.map(({ read }) => read <= 3 * 10)).toEqual([true, true, true, true]);
  // A page of two hundred with their jobs, and those of the page that a filter passes over.
  expect(most.filter(({ read }) => read > 2 * 200 + 100)).toEqual([]);
});

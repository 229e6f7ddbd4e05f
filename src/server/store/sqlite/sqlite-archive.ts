import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Definition } from '../../../model/form-field.ts';
import type { Archive } from '../contract/archive.ts';
import { latestPlausible } from '../contract/leases.ts';
import type { StoredSubmission, SubmissionFilter } from '../contract/submission.ts';
import {
  joinedTables,
  type PageEnd,
  pageSize,
  selectDefinitions,
  selectSubmissions,
  tablesFor,
} from '../rows/selects.ts';
import { toDate, toStoredSubmission } from '../rows/submission-row.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';
import type { Synchronous } from './thread-calls.ts';

/** A page of submissions at a time; what is iterated in one thread is asked for from another. */
type Paged = { readPage(filter: SubmissionFilter, after: PageEnd | null): StoredSubmission[] };

/** The half of the SQLite store that staff look things up in and that erases. */
export function createSqliteArchive(
  db: DatabaseSync,
): Synchronous<Omit<Archive, 'iterateSubmissions'>> & Paged {
  // What is counted is not erased with it.
  const { countNoted } = prepareCounting(db);
  const record = (name: string, at: Date) =>
    void db
      .prepare('INSERT INTO chores VALUES (?, ?) ON CONFLICT DO UPDATE SET done_at = excluded.done_at')
      .run(name, at.toISOString());

  return {
    findSubmission(reference) {
      const row = db.prepare(`${selectSubmissions} WHERE s.canary = 0 AND s.reference = ?`).get(reference);
      return row ? toStoredSubmission(row) : null;
    },

    readPage(filter, after) {
      const { where, values } = conditions(filter);
      // What is undelivered is few: found first and then sorted (the plus), and not looked for among all, newest first.
      const received = filter.undelivered ? '+s.received_at' : 's.received_at';
      const rest = after ? `AND (${received}, s.id) < (?, ?)` : '';
      const sql = `${selectSubmissions} ${where} ${rest} ORDER BY ${received} DESC, s.id DESC LIMIT ?`;
      const end = after ? [after.receivedAt.toISOString(), after.id] : [];
      return db
        .prepare(sql)
        .all(...values, ...end, pageSize)
        .map(toStoredSubmission);
    },

    countSubmissions(filter) {
      const { where, values } = conditions(filter);
      const sql = `SELECT count(*) AS total, count(s.sealed_answers) AS sealed ${tablesFor(filter)} ${where}`;
      const row = db.prepare(sql).get(...values);
      return { total: Number(row?.total), sealed: Number(row?.sealed) };
    },

    listDefinitions(filter) {
      const { where, values } = conditions(filter);
      const sql = selectDefinitions(`${tablesFor(filter)} ${where}`);
      return db
        .prepare(sql)
        .all(...values)
        .map((row) => JSON.parse(String(row.definition)) as Definition);
    },

    listDelivered: (until, limit, except) =>
      db
        .prepare(
          `SELECT s.reference ${joinedTables} WHERE s.canary = 0 AND v.delivered_at <= ?
           AND s.reference NOT IN (SELECT value FROM json_each(?)) ORDER BY v.delivered_at LIMIT ?`,
        )
        .all(until.toISOString(), JSON.stringify(except), limit)
        .map((row) => String(row.reference)),

    // The delivery goes with it (ON DELETE CASCADE); secure_delete overwrites both with zeros.
    eraseSubmissions: (references) =>
      inTransaction(db, () => {
        countNoted(references);
        const marks = references.map(() => '?').join(', ');
        db.prepare(`DELETE FROM submissions WHERE reference IN (${marks})`).run(...references);
      }),

    eraseOne: (reference, now) =>
      inTransaction(db, () => {
        const sql = `SELECT leased_until > ? AND leased_until <= ? AS busy
          FROM deliveries JOIN submissions s ON s.id = submission WHERE s.reference = ?`;
        const found = db.prepare(sql).get(now.toISOString(), latestPlausible(now).toISOString(), reference);
        if (!found) return 'not here';
        if (found.busy) return 'busy';
        countNoted([reference]);
        db.prepare('DELETE FROM submissions WHERE reference = ?').run(reference);
        return 'erased';
      }),

    // The log still holds the rows as they were written; only emptying it takes them out of the folder. Waiting for
    // readers would hold up submissions, so it hardly waits.
    scrub() {
      const before = Number(db.prepare('PRAGMA busy_timeout').get()?.timeout);
      db.exec('PRAGMA busy_timeout = 50');
      try {
        return Number(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy) === 0;
      } finally {
        db.exec(`PRAGMA busy_timeout = ${before}`);
      }
    },

    findTimes() {
      const newest = db.prepare('SELECT max(received_at) AS at FROM submissions').get();
      const done = (name: string) =>
        toDate(db.prepare('SELECT done_at FROM chores WHERE name = ?').get(name)?.done_at ?? null);
      return { newest: toDate(newest?.at ?? null), erased: done('erase'), doubted: done('doubt') };
    },

    recordErasing(at) {
      record('erase', at);
      db.exec(`DELETE FROM chores WHERE name = 'doubt'`);
    },

    recordDoubt: (since) => record('doubt', since),
  };
}

function conditions({ form, since, until, undelivered }: SubmissionFilter) {
  const terms = ['s.canary = 0'];
  const values: SQLInputValue[] = [];
  const add = (term: string, value: SQLInputValue) => {
    terms.push(term);
    values.push(value);
  };
  if (form) add('s.form = ?', form);
  if (since) add('s.received_at >= ?', since.toISOString());
  if (until) add('s.received_at < ?', until.toISOString());
  if (undelivered) terms.push('v.delivered_at IS NULL');
  return { where: `WHERE ${terms.join(' AND ')}`, values };
}

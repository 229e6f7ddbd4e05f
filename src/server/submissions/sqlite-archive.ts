import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Definition } from '../../model/form-field.ts';
import { type Archive, pageSize, type SubmissionFilter } from './archive.ts';
import { selectSubmissions, toStoredSubmission } from './stored-submission.ts';

type Guard = <T>(work: () => T) => Promise<T>;

const joined = `FROM submissions s JOIN definitions d ON d.hash = s.definition
  JOIN deliveries v ON v.submission = s.id`;

/** The half of the SQLite store that staff look things up in and that erases. */
export function createSqliteArchive(db: DatabaseSync, guarded: Guard): Archive {
  return {
    findSubmission: (reference) =>
      guarded(() => {
        const row = db.prepare(`${selectSubmissions} WHERE s.reference = ?`).get(reference);
        return row ? toStoredSubmission(row) : null;
      }),

    async *iterateSubmissions(filter) {
      const { where, values } = conditions(filter);
      const page = db.prepare(`${selectSubmissions} ${where} AND s.id < ? ORDER BY s.id DESC LIMIT ?`);
      let before = Number.MAX_SAFE_INTEGER;
      for (;;) {
        const rows = await guarded(() => page.all(...values, before, pageSize));
        for (const row of rows) yield toStoredSubmission(row);
        if (rows.length < pageSize) return;
        before = Number(rows.at(-1)?.id);
      }
    },

    countSubmissions: (filter) =>
      guarded(() => {
        const { where, values } = conditions(filter);
        const sql = `SELECT count(*) AS total, count(s.sealed_answers) AS sealed ${joined} ${where}`;
        const row = db.prepare(sql).get(...values);
        return { total: Number(row?.total), sealed: Number(row?.sealed) };
      }),

    listDefinitions: (filter) =>
      guarded(() => {
        const { where, values } = conditions(filter);
        const sql = `SELECT d.definition ${joined} ${where} GROUP BY d.hash ORDER BY max(s.id) DESC`;
        return db
          .prepare(sql)
          .all(...values)
          .map((row) => JSON.parse(String(row.definition)) as Definition);
      }),

    listDelivered: (until, limit) =>
      guarded(() =>
        db
          .prepare(`SELECT s.reference ${joined} WHERE v.delivered_at <= ? ORDER BY s.id LIMIT ?`)
          .all(until.toISOString(), limit)
          .map((row) => String(row.reference)),
      ),

    // The delivery goes with it (ON DELETE CASCADE); secure_delete overwrites both with zeros.
    eraseSubmissions: (references) =>
      guarded(() => {
        const marks = references.map(() => '?').join(', ');
        db.prepare(`DELETE FROM submissions WHERE reference IN (${marks})`).run(...references);
      }),

    // The log still holds the rows as they were written; only emptying it takes them out of the folder. Waiting for
    // readers would hold up submissions, so it hardly waits.
    scrub: () =>
      guarded(() => {
        const before = Number(db.prepare('PRAGMA busy_timeout').get()?.timeout);
        db.exec('PRAGMA busy_timeout = 50');
        try {
          return Number(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy) === 0;
        } finally {
          db.exec(`PRAGMA busy_timeout = ${before}`);
        }
      }),
  };
}

function conditions({ form, since, until, undelivered }: SubmissionFilter) {
  const terms = ['1 = 1'];
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

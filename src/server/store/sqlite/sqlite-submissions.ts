import type { DatabaseSync } from 'node:sqlite';
import { createReference } from '../contract/reference.ts';
import type { Added, Spent } from '../contract/submission.ts';
import { insertJobs } from '../rows/submission-jobs.ts';
import type { DefinitionRow, SubmissionRow } from '../rows/submission-row.ts';
import { erasedAfter } from '../rows/time-queries.ts';
import { inTransaction } from './database-file.ts';
import { sqliteDialect } from './sqlite-sql.ts';

/** Submissions that came in together, and the forms they answer. */
export interface Batch {
  definitions: DefinitionRow[];
  rows: SubmissionRow[];
}

/**
 * All writes of a submission, deleted again before the commit. The answer is as long as a long one: where the trial has
 * room, a person's form has too. The form stays: deleting it would read every submission, to see whether one refers to it.
 */
const trial = `
  INSERT INTO definitions (hash, form, definition) VALUES ('trial', 'help', '[]') ON CONFLICT DO NOTHING;
  INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at, counts)
    VALUES ('trial', 'help', 'trial', hex(zeroblob(16384)), '{}', 'trial', 'trial', strftime('%FT%R:%fZ'), '[]');
  INSERT INTO jobs (kind, key, submission, due_at) SELECT 'trial', 'trial', id, received_at FROM submissions WHERE reference = 'trial';
  DELETE FROM submissions WHERE reference = 'trial';
  INSERT INTO health (id, checked_at) VALUES (1, strftime('%FT%R:%fZ'))
    ON CONFLICT DO UPDATE SET checked_at = excluded.checked_at`;

/** Inserts a submission and its form, but not its jobs. */
export function prepareInserts(db: DatabaseSync) {
  const definition = db.prepare(
    'INSERT OR IGNORE INTO definitions (hash, form, definition) VALUES (?, ?, ?)',
  );
  const submission = db.prepare(`
    INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, counts, canary, language, urgent, rank, followed_up_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ${erasedAfter('?')}) ON CONFLICT DO NOTHING RETURNING id`);
  return {
    insertDefinition: (row: DefinitionRow) => void definition.run(row.hash, row.form, row.definition),
    /** Its id, or null where its reference or its token is taken. */
    insertSubmission(row: SubmissionRow): number | null {
      const { verdict, tokenHash, answersHash, receivedAt } = row;
      const answers = [row.answers, row.sealedAnswers] as const;
      const columns = [
        verdict,
        tokenHash,
        answersHash,
        receivedAt,
        row.counts,
        Number(row.canary ?? false),
        row.language ?? null,
        Number(row.urgent),
        row.rank ?? 1,
        receivedAt,
      ] as const;
      const inserted = submission.get(row.reference, row.form, row.definition, ...answers, ...columns);
      return inserted ? Number(inserted.id) : null;
    },
  };
}

/** The part of the SQLite store that visitors wait for. */
export function createSqliteSubmissions(db: DatabaseSync) {
  const { insertDefinition, insertSubmission } = prepareInserts(db);
  const insertJobsOf = db.prepare(insertJobs(sqliteDialect));
  const findSpent = db.prepare(
    'SELECT reference, received_at, answers_hash FROM submissions WHERE token_hash = ?',
  );
  function findByToken(tokenHash: string): Spent | null {
    const row = findSpent.get(tokenHash);
    if (!row) return null;
    return {
      answersHash: String(row.answers_hash),
      receipt: { reference: String(row.reference), receivedAt: String(row.received_at) },
    };
  }

  function insert(row: SubmissionRow): Added {
    const { tokenHash, receivedAt } = row;
    for (let { reference } = row; ; reference = createReference()) {
      const id = insertSubmission({ ...row, reference });
      if (id !== null) {
        insertJobsOf.run({ $1: id, $2: reference, $3: row.jobs });
        return { added: true, receipt: { reference, receivedAt } };
      }
      const spent = findByToken(tokenHash);
      if (spent) return { added: false, spent };
      // Neither stored nor spent: the reference was taken. Draw another.
    }
  }

  return {
    findByToken,

    /** All in one transaction, and so with one sync. */
    add: ({ definitions, rows }: Batch): Promise<Added[]> =>
      inTransaction(db, () => {
        for (const definition of definitions) insertDefinition(definition);
        return rows.map(insert);
      }),

    tryWrite: (): Promise<void> => inTransaction(db, () => db.exec(trial)),
  };
}

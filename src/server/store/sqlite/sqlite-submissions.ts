import type { DatabaseSync } from 'node:sqlite';
import { createReference } from '../contract/reference.ts';
import type { Added, Spent } from '../contract/submission.ts';
import { writeCounts } from '../rows/counting.ts';
import type { DefinitionRow, SubmissionRow } from '../rows/submission-row.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';

/** Submissions that came in together, and the forms they answer. */
export interface Batch {
  definitions: DefinitionRow[];
  rows: SubmissionRow[];
}

const trial = 'trial';
/** As long as a long answer: where the trial has room, a person's form has too. */
const trialAnswer = 'x'.repeat(32 * 1024);
const trialCounts = writeCounts([
  { kind: 'received', period: trial, form: 'help', field: '', value: '', count: 1, most: 0 },
]);

/** Inserts a submission and its form, but not its delivery. */
export function prepareInserts(db: DatabaseSync) {
  const definition = db.prepare(
    'INSERT OR IGNORE INTO definitions (hash, form, definition) VALUES (?, ?, ?)',
  );
  const submission = db.prepare(`
    INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, to_count, canary)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`);
  return {
    insertDefinition: (row: DefinitionRow) => void definition.run(row.hash, row.form, row.definition),
    /** Its id, or null where its reference or its token is taken. */
    insertSubmission(row: SubmissionRow): number | null {
      const { verdict, tokenHash, answersHash, receivedAt } = row;
      const answers = [row.answers, row.sealedAnswers] as const;
      const toCount = row.countLater && row.counts !== '' ? row.counts : null;
      const about = [
        verdict,
        tokenHash,
        answersHash,
        receivedAt,
        toCount,
        Number(row.canary ?? false),
      ] as const;
      const kept = submission.get(row.reference, row.form, row.definition, ...answers, ...about);
      return kept ? Number(kept.id) : null;
    },
  };
}

/** The part of the SQLite store that visitors wait for. */
export function createSqliteSubmissions(db: DatabaseSync) {
  const { insertDefinition, insertSubmission } = prepareInserts(db);
  const { addWritten } = prepareCounting(db);
  const insertDelivery = db.prepare(
    'INSERT INTO deliveries (submission, next_attempt_at, held, urgent, rank, counted) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const findSpent = db.prepare(
    'SELECT reference, received_at, answers_hash FROM submissions WHERE token_hash = ?',
  );
  const touchHealth = db.prepare(
    'INSERT INTO health (id, checked_at) VALUES (1, ?) ON CONFLICT DO UPDATE SET checked_at = excluded.checked_at',
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
    const { tokenHash, receivedAt, nextAttemptAt, held, urgent, rank = 1, counted } = row;
    for (let { reference } = row; ; reference = createReference()) {
      const id = insertSubmission({ ...row, reference });
      if (id !== null) {
        insertDelivery.run(id, nextAttemptAt, Number(held), Number(urgent), rank, Number(counted));
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
        const added = rows.map(insert);
        addWritten(rows.filter(({ countLater }, index) => added[index]?.added && !countLater));
        return added;
      }),

    /** All writes of a submission, deleted again before the commit. */
    tryWrite: (): Promise<void> =>
      inTransaction(db, () => {
        const now = new Date().toISOString();
        insertDefinition({ hash: trial, form: 'help', definition: '[]' });
        const id = insertSubmission({
          reference: trial,
          form: 'help',
          definition: trial,
          answers: trialAnswer,
          sealedAnswers: null,
          verdict: '{}',
          tokenHash: trial,
          answersHash: trial,
          receivedAt: now,
          nextAttemptAt: now,
          held: false,
          urgent: false,
          counts: trialCounts,
          countLater: true,
          counted: false,
        });
        insertDelivery.run(id, now, 0, 0, 1, 0);
        addWritten([{ counts: trialCounts }]);
        db.prepare('DELETE FROM submissions WHERE reference = ?').run(trial);
        // The form stays: deleting it would read every submission, to see whether one refers to it.
        db.prepare(`DELETE FROM counts WHERE kind = 'received' AND period = ?`).run(trial);
        touchHealth.run(now);
      }),
  };
}

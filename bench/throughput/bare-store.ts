/** The least code that stores a submission as durably as the site does: two inserts, synced to disk with each commit. */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Receipt } from '../../src/model/operations.ts';
import { createReference } from '../../src/server/store/contract/reference.ts';
import { readMigrations } from '../../src/server/store/rows/migrations.ts';
import { shippedContent } from '../../test/support/forms.ts';

export interface SubmissionVariables {
  fields: unknown;
  recaptchaToken: string;
}

interface BareStore {
  write(submission: SubmissionVariables): Receipt;
}

export function openBareStore(folder: string): BareStore {
  const form = shippedContent.forms.help;
  const db = new DatabaseSync(`${folder}/bare.sqlite`);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  for (const { sql } of readMigrations('sqlite')) db.exec(sql);
  db.prepare('INSERT INTO definitions VALUES (?, ?, ?)').run(
    form.hash,
    form.name,
    JSON.stringify(form.definition),
  );
  const insertSubmission = db.prepare(
    `INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING`,
  );
  const insertMail = db.prepare(
    `INSERT INTO jobs (kind, key, submission, due_at) VALUES ('mail', 'mail:' || ?, ?, ?)`,
  );
  const hash = (value: string) => createHash('sha256').update(value).digest('hex');

  function insert(variables: SubmissionVariables): Receipt {
    const { fields, recaptchaToken } = variables;
    const [reference, receivedAt] = [createReference(), new Date().toISOString()];
    const answers = JSON.stringify(fields);
    const { changes, lastInsertRowid } = insertSubmission.run(
      reference,
      form.name,
      form.hash,
      answers,
      '{}',
      hash(recaptchaToken),
      hash(answers),
      receivedAt,
    );
    // Among tens of thousands, two references may collide.
    if (changes === 0) return insert(variables);
    insertMail.run(reference, lastInsertRowid, receivedAt);
    return { reference, receivedAt };
  }

  return {
    write(submission) {
      db.exec('BEGIN IMMEDIATE');
      const receipt = insert(submission);
      db.exec('COMMIT');
      return receipt;
    },
  };
}

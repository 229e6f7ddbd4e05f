/** The least that keeps a submission as safely as the site does: two inserts, synced to disk with each commit. */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { Receipt } from '../../src/model/operations.ts';
import { createReference } from '../../src/server/store/contract/reference.ts';
import { readMigrations } from '../../src/server/store/rows/migrations.ts';
import { shippedContent } from '../../test/support/forms.ts';

export interface Sent {
  fields: unknown;
  recaptchaToken: string;
}

export interface BareStore {
  /** One transaction, and so one sync, for all of them. */
  keep(sent: readonly Sent[]): Receipt[];
}

const form = shippedContent.forms.help;
/** What a query for the form is answered with. */
export const { definition } = form;

export function openBareStore(folder: string): BareStore {
  const db = new DatabaseSync(`${folder}/bare.sqlite`);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  for (const { sql } of readMigrations('sqlite')) db.exec(sql);
  db.prepare('INSERT INTO definitions VALUES (?, ?, ?)').run(
    form.hash,
    form.name,
    JSON.stringify(form.definition),
  );
  const keepSubmission = db.prepare(
    `INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING`,
  );
  const keepDelivery = db.prepare('INSERT INTO deliveries (submission, next_attempt_at) VALUES (?, ?)');
  const hash = (value: string) => createHash('sha256').update(value).digest('hex');

  function insert(sent: Sent): Receipt {
    const { fields, recaptchaToken } = sent;
    const [reference, receivedAt] = [createReference(), new Date().toISOString()];
    const answers = JSON.stringify(fields);
    const { changes, lastInsertRowid } = keepSubmission.run(
      reference,
      form.name,
      form.hash,
      answers,
      '{}',
      hash(recaptchaToken),
      hash(answers),
      receivedAt,
    );
    // Of tens of thousands two may draw the same.
    if (changes === 0) return insert(sent);
    keepDelivery.run(lastInsertRowid, receivedAt);
    return { reference, receivedAt };
  }

  return {
    keep(sent) {
      db.exec('BEGIN IMMEDIATE');
      const receipts = sent.map(insert);
      db.exec('COMMIT');
      return receipts;
    },
  };
}

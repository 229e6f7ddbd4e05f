/**
 * The least that could do the same work: node:http and one insert, or one answer, a request. What the site's server
 * is measured against, in the same run on the same machine.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { readMigrations } from '../src/server/submissions/read-migrations.ts';
import { createReference } from '../src/server/submissions/reference.ts';
import { shippedContent } from '../test/support/forms.ts';

const [folder = ''] = process.argv.slice(2);
const form = shippedContent.forms.help;

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
   VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
);
const keepDelivery = db.prepare('INSERT INTO deliveries (submission, next_attempt_at) VALUES (?, ?)');

const server = createServer(async (request, response) => {
  const { query, variables } = JSON.parse(await text(request));
  response.setHeader('content-type', 'application/json');
  if (!query.startsWith('mutation')) {
    response.end(JSON.stringify({ data: { getHelpForm: form.definition } }));
    return;
  }
  const [reference, receivedAt] = [createReference(), new Date().toISOString()];
  const answers = JSON.stringify(variables.fields);
  const hash = (value: string) => createHash('sha256').update(value).digest('hex');
  db.exec('BEGIN IMMEDIATE');
  const { lastInsertRowid } = keepSubmission.run(
    reference,
    form.name,
    form.hash,
    answers,
    '{}',
    hash(variables.recaptchaToken),
    hash(answers),
    receivedAt,
  );
  keepDelivery.run(lastInsertRowid, receivedAt);
  db.exec('COMMIT');
  response.end(JSON.stringify({ data: { submitHelpRequest: { reference, receivedAt } } }));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`{"event":"listening","port":${(server.address() as AddressInfo).port}}\n`);
});

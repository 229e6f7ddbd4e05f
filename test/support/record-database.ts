import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readContent } from '../../src/server/content/content.ts';
import { claimMail, parkMail, postponeMail } from '../../src/server/store/contract/mail-jobs.ts';
import type { NewSubmission } from '../../src/server/store/contract/submission.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';

/** Records a small database as this version makes it, as SQL in test/older-databases/. Run it once for each new migration. */

const { forms } = await readContent('content');
const past = new Date('2026-03-01T00:00:00.000Z');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const dataDir = mkdtempSync(join(tmpdir(), 'awhina-recorded-'));
try {
  const store = await openSqliteStore(dataDir);
  const add = async (reference: string, changes: Partial<NewSubmission> = {}) => {
    const answers = [
      { key: 'FirstName', value: 'Sample' },
      { key: 'Email', value: 'sample@visitor.example' },
      { key: 'Message', value: `Kia ora, this is a sample: ${reference}.` },
    ];
    const hashes = { tokenHash: hash(reference), answersHash: hash(JSON.stringify(answers)) };
    const what = { form: forms.help, answers, verdict: { kind: 'clean' } as const, receivedAt: past };
    await store.add({ ...what, ...hashes, reference, ...changes });
  };
  for (const reference of ['KKKK-3333', 'DDDD-3333']) await add(reference);
  for (const reference of ['WWWW-4444', 'PPPP-3333']) await add(reference, { form: forms.contact });
  for (const claim of await claimMail(store, past, 9, 60_000, 'new')) {
    // KKKK-3333: its server was killed while it was mailed.
    if (claim.reference === 'DDDD-3333') await store.finishDelivery(claim, past);
    if (claim.reference === 'WWWW-4444') await postponeMail(store, claim, past, 'ETIMEDOUT');
    if (claim.reference === 'PPPP-3333') await parkMail(store, claim, past, '550');
  }
  await add('WWWW-3333');
  await add('HHHH-3333', { form: forms.contact, heldUntil: past });
  await add('QQQQ-3333', { urgent: true, alert: true });
  await store.recordStep('WWWW-3333', 'no-contact', 'AB', past);
  await store.close();

  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'));
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const name = `schema-${version}.sql`;
  writeFileSync(join(import.meta.dirname, '../older-databases', name), dump(db, version));
} finally {
  rmSync(dataDir, { recursive: true });
}

/** Tables and indexes as they were made, and every row with the names of its columns. */
function dump(db: DatabaseSync, version: number): string {
  const made = db.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all();
  const rows = made
    .filter(({ type }) => type === 'table')
    .flatMap(({ name }) =>
      db
        .prepare(`SELECT * FROM ${name}`)
        .all()
        .map(({ seen_at: _computed, ...row }) => insert(`${name}`, row)),
    );
  const lines = [...made.map(({ sql }) => `${sql};`), ...rows, `PRAGMA user_version = ${version};`];
  return `${lines.join('\n')}\n`;
}

function insert(table: string, row: Record<string, unknown>): string {
  const values = Object.values(row).map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL'),
  );
  return `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')});`;
}

import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * Records a small database as a version of the server makes it, as SQL in test/older-databases/: `node
 * test/support/record-database.ts [FOLDER]`, where FOLDER holds that version with its packages. Run it once for each new
 * migration.
 */
const folder = resolve(process.argv[2] ?? '.');
const load = (...paths: string[]) =>
  import(pathToFileURL(paths.map((path) => join(folder, path)).find(existsSync) ?? '').href);
const submissions = 'src/server/submissions';
const { openSqliteStore } = await load(
  'src/server/store/sqlite/sqlite-store.ts',
  `${submissions}/sqlite/sqlite-store.ts`,
  `${submissions}/sqlite-store.ts`,
);
const { readContent } = await load('src/server/content/content.ts');
process.chdir(folder);
const { forms } = await readContent('content');

/** What became of each request, in the columns that the version knows. */
const past = '2026-03-01T00:00:00.000Z';
const states: { form: string; reference: string; columns: Record<string, string | number> }[] = [
  { form: 'help', reference: 'WWWW-3333', columns: {} },
  { form: 'contact', reference: 'WWWW-4444', columns: { attempts: 2, last_error: 'ETIMEDOUT' } },
  // Its server was killed while it was mailed.
  { form: 'help', reference: 'KKKK-3333', columns: { leased_until: past } },
  { form: 'help', reference: 'DDDD-3333', columns: { delivered_at: past, attempts: 1, counted: 1 } },
  { form: 'contact', reference: 'PPPP-3333', columns: { parked_at: past, attempts: 1, last_error: '550' } },
  { form: 'contact', reference: 'HHHH-3333', columns: { held: 1 } },
  { form: 'help', reference: 'QQQQ-3333', columns: { urgent: 1 } },
];

const dataDir = mkdtempSync(join(tmpdir(), 'awhina-recorded-'));
try {
  const store = await openSqliteStore(dataDir);
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const references: string[] = [];
  for (const { form, reference } of states) {
    const answers = [
      { key: 'FirstName', value: 'Sample' },
      { key: 'Email', value: 'sample@visitor.example' },
      { key: 'Message', value: `Kia ora, this is a sample: ${reference}.` },
    ];
    const { receipt } = await store.add({
      form: forms[form],
      answers,
      verdict: { kind: 'clean' },
      tokenHash: hash(reference),
      answersHash: hash(JSON.stringify(answers)),
      receivedAt: new Date(past),
    });
    references.push(receipt.reference);
  }
  await store.close();

  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'));
  const known = db.prepare("SELECT name FROM pragma_table_info('deliveries')").all();
  for (const [index, { reference, columns }] of states.entries()) {
    const found = references[index] ?? '';
    for (const [name, value] of Object.entries(columns))
      if (known.some((column) => column.name === name))
        db.prepare(
          `UPDATE deliveries SET ${name} = ? WHERE submission = (SELECT id FROM submissions WHERE reference = ?)`,
        ).run(value, found);
    db.prepare('UPDATE submissions SET reference = ? WHERE reference = ?').run(reference, found);
  }
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

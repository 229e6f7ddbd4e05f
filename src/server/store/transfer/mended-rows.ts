import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { formNames } from '../../../model/form-field.ts';
import { unknownForm } from '../../../model/server-forms.ts';
import { createReference } from '../contract/reference.ts';
import { isOfSubmission } from '../contract/submission-jobs.ts';
import { isCount, mostCounted } from '../rows/counting.ts';
import { selectTransferRows } from '../rows/selects.ts';
import { readDefinition } from '../rows/stored-text.ts';
import { completeJobs, insertJobs } from '../rows/submission-jobs.ts';
import { type TransferRow, toTransferRow } from '../rows/transfer-row.ts';
import { sqliteDialect } from '../sqlite/sqlite-sql.ts';

/**
 * Rows from a backup or a damaged file, made harmless. Of what a person wrote nothing is left out: a request with damaged
 * answers is mailed as it is. But no row may make a later request vanish, or throw whenever requests are listed.
 */

const isTime = (value: unknown): boolean => {
  const at = new Date(String(value));
  // PostgreSQL has no year 0, and a year of six digits is damage.
  return !Number.isNaN(at.getTime()) && at.toISOString() === value && /^(?!0000)\d{4}-/.test(value);
};
const isReference = (value: unknown): boolean => /^[0-9A-Z]{4}-[0-9A-Z]{4}(-[23])*$/.test(String(value));
const isNumber = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= mostCounted;
/** A higher number leaves too few for the requests to come. */
const highestId = 2 ** 52;

/** PostgreSQL takes no zero byte in a text. */
const isText = (value: unknown): boolean => typeof value === 'string' && !value.includes('\0');

const isJob = (value: unknown): boolean => {
  const { kind, name, dueAt, rank, attempts = 0, done = 0, error = null } = Object(value);
  const texts = [kind, name, error ?? ''].every(isText);
  return texts && isOfSubmission(String(kind)) && isTime(dueAt) && [rank, attempts, done].every(isNumber);
};
const isListOf = (text: unknown, isOne: (value: unknown) => boolean): boolean => {
  try {
    return JSON.parse(String(text)).every(isOne);
  } catch {
    return false;
  }
};
const isCounts = (text: unknown): boolean => text === '' || isListOf(text, isCount);
const isJobs = (text: unknown): boolean => isListOf(text, isJob);

const readable = (text: unknown): string => (readDefinition(text) ? String(text) : '[]');

/** As content.ts hashes a form: a form that has the hash of another would be joined to the requests of that one. */
const hashOf = (definition: unknown): string =>
  createHash('sha256').update(readable(definition)).digest('hex');

/** One flipped bit makes a text of SQLite bytes, which neither database takes where a text belongs. */
export function asText(value: unknown): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** As columns of SQLite, and in a row. */
const isFlag = /^(urgent|held|canary|counted|answer_counted)$/;
/** A flag that is neither yes nor no becomes yes. But a canary that reaches staff is better than a request taken for one. */
const mendFlag = (name: string, value: unknown): boolean =>
  name === 'canary' ? value === true || value === 1 : value !== false && value !== 0;

/** A row of a backup, or of a damaged database. */
export function mendRow(row: TransferRow): TransferRow {
  const mend = ([name, value]: [string, unknown]) => {
    if (isFlag.test(name)) return [name, mendFlag(name, value)];
    if (name === 'rank') return [name, isNumber(value) ? value : 0];
    if (value === null || value === undefined) return [name, value];
    const text = asText(value);
    if (/(At|Until)$/.test(name) && !isTime(text))
      // Nobody may be contacted because one bit of that flipped.
      return [name, name === 'noContactAt' ? new Date().toISOString() : null];
    return [name, text.replaceAll('\0', '\ufffd')];
  };
  const mended = Object.fromEntries(Object.entries(row).map(mend)) as TransferRow;
  const { form, reference, answers, sealedAnswers, receivedAt, ...rest } = mended;
  const now = new Date().toISOString();
  const known = {
    ...rest,
    form: formNames.includes(form) ? form : unknownForm,
    reference: isReference(reference) ? reference : createReference(),
    answers: answers ?? (sealedAnswers === null ? '' : null),
    sealedAnswers: answers === null ? sealedAnswers : null,
    receivedAt: receivedAt ?? now,
    counts: isCounts(rest.counts) ? rest.counts : '',
    definition: hashOf(rest.definitionText),
    definitionText: readable(rest.definitionText),
  };
  return { ...known, jobs: completeJobs(known, isJobs(rest.jobs) ? rest.jobs : null) };
}

const nameForms = `CREATE TEMP TABLE named (old TEXT PRIMARY KEY, new TEXT);
   INSERT INTO named SELECT hash, hash_of(definition) FROM main.definitions`;
const moveToNamed = `
  UPDATE submissions SET definition = coalesce((SELECT new FROM named WHERE old = definition), hash_of(''))
  WHERE definition NOT IN (SELECT old FROM named WHERE old = new)`;

const isUsable = `id BETWEEN 1 AND ${highestId}`;
const renumber = `
  CREATE TEMP TABLE renumbered (old INTEGER PRIMARY KEY, new INTEGER) WITHOUT ROWID;
  INSERT INTO renumbered
    SELECT id, row_number() OVER (ORDER BY id)
      + (SELECT coalesce(max(id), 0) FROM main.submissions WHERE ${isUsable})
    FROM main.submissions WHERE NOT ${isUsable}`;
const toNewNumber = (table: string, column: string) => `
  UPDATE ${table} SET ${column} = (SELECT new FROM renumbered WHERE old = ${column})
  WHERE ${column} IN (SELECT old FROM renumbered)`;

const mendRequests = [
  `UPDATE submissions SET form = '${unknownForm}' WHERE form NOT IN (${formNames.map((name) => `'${name}'`)})`,
  'UPDATE submissions SET reference = new_reference() WHERE NOT is_reference(reference)',
];

/** Of an earlier version. */
const mendDeliveries = [
  'DELETE FROM deliveries WHERE submission NOT IN (SELECT id FROM submissions)',
  // Better mailed twice than never.
  `INSERT INTO deliveries (submission, next_attempt_at) SELECT id, received_at FROM submissions
    WHERE id NOT IN (SELECT submission FROM deliveries)`,
];

/** Mends every row of the tables of ours. Resolves to how many changes that took. */
export function mendTables(db: DatabaseSync): number {
  const pure = { deterministic: true };
  db.function('hash_of', pure, hashOf);
  db.function('is_time', pure, (value) => Number(isTime(value)));
  db.function('is_reference', pure, (value) => Number(isReference(value)));
  db.function('is_counts', pure, (value) => Number(isCounts(value)));
  db.function('new_reference', () => createReference());
  let count = 0;
  const run = (sql: string) => {
    count += Number(db.prepare(sql).run().changes);
  };

  db.exec(nameForms);
  run(moveToNamed);
  mendForms(db);
  for (const sql of mendRequests) run(sql);
  const refersTo = referringTables(db);
  if (refersTo.includes('deliveries')) for (const sql of mendDeliveries) run(sql);
  db.exec(renumber);
  run(toNewNumber('submissions', 'id'));
  for (const table of refersTo) run(toNewNumber(table, 'submission'));
  db.exec('DROP TABLE renumbered; DROP TABLE named');
  for (const sql of mendColumns(db)) run(sql);
  if (!refersTo.includes('deliveries')) count += mendJobs(db);
  return count;
}

const referringTables = (db: DatabaseSync): string[] =>
  db
    .prepare(
      `SELECT t.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'submission'`,
    )
    .all()
    .map(({ name }) => `${name}`);

/** A job whose name is damaged would never be done. An urgent request that nobody has taken gets those that it would have. */
function mendJobs(db: DatabaseSync): number {
  db.function('is_job', { deterministic: true }, (kind, key, reference) =>
    Number(isOfSubmission(String(kind)) && /^[a-z ]+:/.test(`${key}`) && `${key}`.endsWith(`:${reference}`)),
  );
  // One that was under way has ended with its server.
  db.exec(`DELETE FROM jobs WHERE kind = 'transfer'`);
  const removed = db.prepare(`DELETE FROM jobs WHERE submission IS NOT NULL
    AND NOT coalesce(is_job(kind, key, (SELECT reference FROM submissions WHERE id = submission)), 0)`);
  const withoutJobs = db.prepare(`${selectTransferRows(sqliteDialect)}
    WHERE s.accepted_at IS NULL AND NOT EXISTS (SELECT 1 FROM jobs WHERE key = 'mail:' || s.reference)
      OR s.urgent = 1 AND NOT EXISTS (SELECT 1 FROM jobs WHERE key = 'remind team:' || s.reference)`);
  const insert = db.prepare(insertJobs(sqliteDialect));
  const count = Number(removed.run().changes);
  for (const row of withoutJobs.all())
    insert.run({
      $1: Number(row.id),
      $2: `${row.reference}`,
      $3: toTransferRow({ ...row, jobs: null }).jobs,
    });
  return count;
}

/** Each form under the hash of its own text, and one without questions for requests whose form is damaged. */
function mendForms(db: DatabaseSync): void {
  const all = db.prepare('SELECT form, definition FROM definitions').all();
  db.exec('DELETE FROM definitions');
  const insert = db.prepare('INSERT OR IGNORE INTO definitions (hash, form, definition) VALUES (?, ?, ?)');
  for (const { form, definition } of all) insert.run(hashOf(definition), `${form}`, readable(definition));
  db.exec(`INSERT OR IGNORE INTO definitions (hash, form, definition)
    SELECT DISTINCT definition, form, '[]' FROM submissions WHERE definition = hash_of('')`);
}

const selectColumns = `
  SELECT t.name AS "table", c.name, c.type, c."notnull" FROM sqlite_schema t JOIN pragma_table_info(t.name) c
  WHERE t.type = 'table' AND c.name NOT IN ('id', 'submission')`;

/** Times compare as text, so one in another form would never have come. */
const mendColumns = (db: DatabaseSync): string[] =>
  db
    .prepare(selectColumns)
    .all()
    .flatMap(({ table, name, type, notnull }) => {
      const set = (value: string, where: string) => [`UPDATE ${table} SET ${name} = ${value} WHERE ${where}`];
      if (/(^|_)(at|until)$/.test(`${name}`))
        return set(
          notnull || name === 'no_contact_at' ? `strftime('%FT%R:%fZ')` : 'NULL',
          `${name} IS NOT NULL AND NOT is_time(${name})`,
        );
      if (name === 'counts') return set("''", `NOT is_counts(${name})`);
      if (name === 'to_count') return set('NULL', `${name} IS NOT NULL AND NOT is_counts(${name})`);
      if (isFlag.test(`${name}`)) return set(name === 'canary' ? '0' : '1', `${name} NOT IN (0, 1)`);
      return type === 'INTEGER' ? set('0', `${name} NOT BETWEEN 0 AND ${mostCounted}`) : [];
    });

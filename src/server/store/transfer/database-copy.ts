import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { backup, type DatabaseSync } from 'node:sqlite';
import type { CountRow } from '../contract/counts.ts';
import { StoreUnfit } from '../contract/errors.ts';
import { readCounts } from '../rows/count-queries.ts';
import { readMigrations } from '../rows/migrations.ts';
import { iterateTransferRows, type TransferRow } from '../rows/transfer-row.ts';
import { connectSqlite } from '../sqlite/connection.ts';
import { asidePath, databasePath, openDatabase, openExclusively } from '../sqlite/database-file.ts';
import { changeOrigin } from '../sqlite/sqlite-counts.ts';
import { createSqliteSql } from '../sqlite/sqlite-sql.ts';
import { createSqliteTransfer } from '../sqlite/sqlite-transfer.ts';
import { mendTables } from './mended-rows.ts';

/** Pages copied at a time; other processes read and write in between. */
const pagesPerStep = 500;
const waitMs = 5_000;

export interface RequestTally {
  requests: number;
  undelivered: number;
}

interface DatabaseCopy {
  path: string;
  tally: RequestTally;
}

/**
 * Copies a snapshot of the database while the server goes on writing, and checks the copy. The copy is named like a file
 * that was set aside, so that retention erases a copy that a kill left behind.
 *
 * @throws where the copy is damaged
 */
export async function copyDatabase(
  dataDir: string,
  onProgress: (done: number, total: number) => void,
): Promise<DatabaseCopy> {
  const path = asidePath(dataDir);
  try {
    using db = connectSqlite(databasePath(dataDir), { readOnly: true, timeout: waitMs });
    // Holds the snapshot: otherwise each new request would begin the copy anew.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(db, path, {
      rate: pagesPerStep,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    });
    dropCanaries(path);
    return { path, tally: inspectCopy(path) };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** False for a file of a version that had no canary; only the server migrates a file. */
const hasCanaryColumn = (db: DatabaseSync): boolean =>
  db.prepare(`SELECT 1 FROM pragma_table_info('submissions') WHERE name = 'canary'`).get() !== undefined;

/** A canary does not belong in a copy. A file of an earlier version has none. */
function dropCanaries(path: string): void {
  using db = connectSqlite(path);
  if (hasCanaryColumn(db)) db.exec('PRAGMA foreign_keys = ON; DELETE FROM submissions WHERE canary = 1');
}

/** How many requests no mail server has accepted, also in a file of an earlier version. */
function countWaiting(db: DatabaseSync, and: string): number {
  const waiting = hasTable(db, 'deliveries')
    ? 'submissions JOIN deliveries ON submission = id WHERE delivered_at IS NULL'
    : 'submissions WHERE accepted_at IS NULL';
  return Number(db.prepare(`SELECT count(*) AS n FROM ${waiting} ${and}`).get()?.n);
}

/** @throws {Error} where the file is not a whole database of ours */
export function inspectCopy(path: string): RequestTally {
  using db = connectSqlite(path);
  // One file, without a log beside it.
  db.exec('PRAGMA journal_mode = DELETE');
  const found = db.prepare('PRAGMA integrity_check(1)').get();
  if (found?.integrity_check !== 'ok') throw new Error('The copy of the database is damaged');
  const requests = Number(db.prepare('SELECT count(*) AS n FROM submissions').get()?.n);
  return { requests, undelivered: countWaiting(db, '') };
}

/**
 * Copies every row into a new file with the tables of our own migrations, up to the version of the copy, and mends what is
 * damaged there. What else the copy has stays behind: a trigger could delete requests after they were acknowledged.
 *
 * @returns how many requests the copy says it has, and how many changes its rows needed
 * @throws {StoreUnfit} where the copy is of a newer version. SQLite's error where it lacks a table or a column of its version.
 */
export function rebuildCopy(path: string): { requests: number; mended: number } {
  const rebuilt = `${path}.rebuilt`;
  writeFileSync(rebuilt, '', { mode: 0o600, flag: 'wx' });
  const db = connectSqlite(rebuilt, { enableForeignKeyConstraints: false });
  try {
    db.prepare('ATTACH ? AS copy').run(path);
    const version = Number(db.prepare('PRAGMA copy.user_version').get()?.user_version);
    const migrations = readMigrations('sqlite');
    if (version > migrations.length)
      throw new StoreUnfit(
        'The backup is of a newer version of Āwhina than this one. Restore it with that version.',
      );
    db.exec('BEGIN');
    for (const { number, sql } of migrations) if (number <= version) db.exec(sql);
    db.exec(`PRAGMA user_version = ${version}`);
    const columnsOf = db.prepare("SELECT group_concat(name) AS names FROM pragma_table_info(?, 'main')");
    for (const { name } of db.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'").all()) {
      const columns = columnsOf.get(`${name}`)?.names;
      db.exec(`DELETE FROM main.${name}`);
      db.exec(`INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM copy.${name}`);
    }
    const requests = Number(db.prepare('SELECT count(*) AS n FROM main.submissions').get()?.n);
    const mended = mendTables(db);
    db.exec('COMMIT');
    renameSync(rebuilt, path);
    return { requests, mended };
  } finally {
    db.close();
  }
}

/** Ends the leases of servers that do not use this copy, and gives the copy an origin of its own for its further counts. */
export function resetCopy(path: string): void {
  using db = connectSqlite(path);
  for (const table of ['deliveries', 'jobs'])
    if (hasTable(db, table)) db.exec(`UPDATE ${table} SET leased_until = NULL`);
  // A file of an earlier version has no counts yet.
  if (hasTable(db, 'count_origin')) db.exec(changeOrigin);
}

/** False for a file of an earlier version. */
const hasTable = (db: DatabaseSync, name: string): boolean =>
  db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;

/** Everything in a copy, perhaps of an older version: the counts, and the submissions a page at a time. */
export async function* readDatabase(
  dataDir: string,
  onCounts: (rows: CountRow[]) => void,
): AsyncGenerator<TransferRow[]> {
  const { db } = openDatabase(dataDir, { waitMs, inspect: true, migrates: true });
  try {
    const sql = createSqliteSql(db);
    onCounts(await readCounts(sql.query));
    yield* iterateTransferRows(createSqliteTransfer(db, sql).readRows);
  } finally {
    db.close();
  }
}

/** Locks a database that is empty, so that no server opens it. Null where it is not empty. */
export function lockEmpty(dataDir: string): { release(): void } | null {
  const db = openExclusively(dataDir);
  const count = Number(
    db
      .prepare(
        'SELECT (SELECT count(*) FROM submissions WHERE canary = 0) + (SELECT count(*) FROM counts) AS n',
      )
      .get()?.n,
  );
  if (count === 0) return { release: () => db.close() };
  db.close();
  return null;
}

/** How many requests of a file that no server uses no mail server has accepted. Null where the file cannot be read. */
export function countUndelivered(path: string): number | null {
  try {
    using db = connectSqlite(path, { readOnly: true, timeout: 500 });
    return countWaiting(db, hasCanaryColumn(db) ? 'AND canary = 0' : '');
  } catch {
    return null;
  }
}

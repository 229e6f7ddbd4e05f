import { rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import type { CountRow } from '../contract/counts.ts';
import type { TransferRow } from '../rows/transfer-row.ts';
import { asidePath, databasePath, openDatabase, openExclusively } from '../sqlite/database-file.ts';
import { knowsCanaries } from '../sqlite/sqlite-canary.ts';
import { createSqliteCounts } from '../sqlite/sqlite-counts.ts';
import { createSqliteTransfer } from '../sqlite/sqlite-transfer.ts';

/** Pages at a time; in between, others that read and write get their turn. */
const rate = 500;
/** Rows read at a time. */
const page = 200;
const waitMs = 5_000;

export interface Counts {
  requests: number;
  undelivered: number;
}

export interface DatabaseCopy {
  path: string;
  counts: Counts;
}

/**
 * A copy of the database as it is at one moment, made while the server goes on writing, and looked over. It lies beside
 * the database, under the name of what is set aside: where a kill leaves it, it is erased with the rest one day.
 *
 * @throws where the copy is damaged
 */
export async function copyDatabase(
  dataDir: string,
  onProgress: (done: number, total: number) => void,
): Promise<DatabaseCopy> {
  const path = asidePath(dataDir);
  try {
    using db = new DatabaseSync(databasePath(dataDir), { readOnly: true, timeout: waitMs });
    // Holds the moment: otherwise each request that comes in would begin the copy anew.
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(db, path, {
      rate,
      progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
    });
    dropCanaries(path);
    return { path, counts: inspectCopy(path) };
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** The server's own test has no place in a copy. A file of an earlier version has none. */
function dropCanaries(path: string): void {
  using db = new DatabaseSync(path);
  if (knowsCanaries(db)) db.exec('PRAGMA foreign_keys = ON; DELETE FROM submissions WHERE canary = 1');
}

/** @throws {Error} where it is no whole database of ours. */
export function inspectCopy(path: string): Counts {
  using db = new DatabaseSync(path);
  // One file, with nothing beside it that would have to come along.
  db.exec('PRAGMA journal_mode = DELETE');
  const found = db.prepare('PRAGMA integrity_check(1)').get();
  if (found?.integrity_check !== 'ok') throw new Error('The copy of the database is damaged');
  const count = (where: string) =>
    Number(db.prepare(`SELECT count(*) AS n FROM deliveries ${where}`).get()?.n);
  return { requests: count(''), undelivered: count('WHERE delivered_at IS NULL') };
}

/** What was being sent when the copy was made, nobody is sending here: it is due. And what it counts is not what the other goes on to count. */
export function resetCopy(path: string): void {
  using db = new DatabaseSync(path);
  db.exec('UPDATE deliveries SET leased_until = NULL');
  // One of an earlier version counts nothing yet.
  if (db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'count_origin'`).get())
    db.exec('UPDATE count_origin SET origin = lower(hex(randomblob(8)))');
}

/** Everything in a copy, which may be of an older version: what is counted, and the requests a page at a time. */
export function* readDatabase(
  dataDir: string,
  onCounts: (rows: CountRow[]) => void,
): Generator<TransferRow[]> {
  const { db } = openDatabase(dataDir, { waitMs, inspect: true, migrates: true });
  try {
    onCounts(createSqliteCounts(db).readCounts());
    const { readRows } = createSqliteTransfer(db);
    for (let { last, rows } = readRows(0, page); rows.length > 0; { last, rows } = readRows(last, page))
      yield rows;
  } finally {
    db.close();
  }
}

/** Holds the place of a database that has nothing in it, so that no server takes it. Null where there is something. */
export function lockEmpty(dataDir: string): { release(): void } | null {
  const db = openExclusively(dataDir);
  const kept = Number(
    db
      .prepare(
        'SELECT (SELECT count(*) FROM submissions WHERE canary = 0) + (SELECT count(*) FROM counts) AS n',
      )
      .get()?.n,
  );
  if (kept === 0) return { release: () => db.close() };
  db.close();
  return null;
}

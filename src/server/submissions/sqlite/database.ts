import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivate } from '../../private-file.ts';
import { readMigrations } from '../read-migrations.ts';
import { StoreNotDurable } from '../submission-store.ts';

/** Before this one a checkpoint racing with a writer could lose committed pages (the WAL-reset bug). */
const oldestSafeVersion = [3, 51, 3] as const;

/** What the log beside the database is cut back to once nobody reads it any more. A long reader lets it grow. */
const logBytes = 4 * 1024 * 1024;

export interface Place {
  db: DatabaseSync;
  path: string;
  /** Whether the file that is open is the one that has its name. One without a name is gone with the process. */
  isReal(): boolean;
}

export const databasePath = (dataDir: string) => join(dataDir, 'awhina.sqlite');

/** @throws where it would acknowledge what it can lose, or is damaged. */
export function openPlace(dataDir: string, waitMs: number, inspect: boolean): Place {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = databasePath(dataDir);
  // SQLite gives the files beside it the mode of the database, which it would itself make readable by everybody.
  // One that is there is not opened for it: closing it again would drop the locks of other connections (POSIX).
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' });
  for (const file of [path, `${path}-wal`, `${path}-shm`]) makePrivate(file);
  const before = identify(path);
  const db = new DatabaseSync(path, { timeout: waitMs });
  try {
    if (inspect) findDamage(db);
    makeDurable(db);
    migrate(db);
    const opened = identify(path);
    const log = identify(`${path}-wal`);
    if (opened === null || opened !== before || log === null)
      throw new Error('The database was replaced while it was opened');
    return { db, path, isReal: () => identify(path) === opened && identify(`${path}-wal`) === log };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What tells one file from another that was put under its name. */
function identify(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.dev}:${found.ino}` : null;
}

/** SQLITE_CORRUPT: what SQLite itself says once it meets the damage. */
const damaged = 11;

/** A file that SQLite cannot rely on refuses requests later, one by one, and nobody knows why. */
function findDamage(db: DatabaseSync): void {
  const found = db.prepare('PRAGMA quick_check(1)').get();
  if (found?.quick_check !== 'ok')
    throw Object.assign(new Error('The database is damaged'), { errcode: damaged });
}

/** Asks for what durability needs, and refuses to start where the answer is not what was asked for. */
function makeDurable(db: DatabaseSync): void {
  const read = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
  const version = String(read('SELECT sqlite_version()'));
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [a, b, c] = oldestSafeVersion;
  if (major * 1e6 + minor * 1e3 + patch < a * 1e6 + b * 1e3 + c) {
    throw new StoreNotDurable(
      `SQLite ${version} can lose committed data; ${oldestSafeVersion.join('.')} or newer is needed`,
    );
  }
  const journal = read('PRAGMA journal_mode = WAL');
  if (journal !== 'wal')
    throw new StoreNotDurable(
      `SQLite keeps its journal in mode ${journal}, and not in wal, on the disk of DATA_DIR`,
    );
  db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON');
  db.exec(`PRAGMA journal_size_limit = ${logBytes}`);
  const synchronous = read('PRAGMA synchronous');
  if (synchronous !== 2)
    throw new StoreNotDurable(`SQLite syncs at level ${synchronous}, and not at 2 (FULL)`);
}

function migrate(db: DatabaseSync): void {
  // The lock is taken before the version is read, so that two starting servers apply each migration once.
  inTransaction(db, () => {
    const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    for (const { number, sql } of readMigrations('sqlite')) {
      if (number > version) db.exec(`${sql}; PRAGMA user_version = ${number}`);
    }
  });
}

export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A failed COMMIT may have ended the transaction already (a full disk does).
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

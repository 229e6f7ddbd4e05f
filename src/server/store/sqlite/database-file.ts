import { randomInt } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makePrivate } from '../../files/private-file.ts';
import { renameSynced } from '../../files/synced-file.ts';
import { StoreUnfit } from '../contract/errors.ts';
import { readMigrations } from '../rows/migrations.ts';
import { checkSchema, type SchemaVersion } from '../rows/schema-version.ts';
import { connectSqlite } from './connection.ts';

/** Before this version a checkpoint racing with a writer could lose committed pages (the WAL-reset bug). */
const oldestSafeVersion = [3, 51, 3] as const;

/** The log beside the database is cut back to this once nobody reads it. A long reader lets it grow. */
const logBytes = 4 * 1024 * 1024;

interface DatabaseFile {
  db: DatabaseSync;
  /** Whether the open files still have their names and were not cut off. A file without a name is deleted when the process ends. */
  isIntact(): boolean;
  /** Renames those of the open files that still have their names, so that nothing mixes with the files that replaced the others. */
  setAside(): void;
}

/** The database, its log, and the shared memory of the processes that have it open. */
const suffixes = ['', '-wal', '-shm'] as const;
/** The names of files that were set aside. `awhina salvage` reads them. */
export const asidePattern = /^awhina-(aside|before)-\d+\.sqlite(-wal|-shm)?$/;

export const asidePath = (dataDir: string) => join(dataDir, `awhina-aside-${Date.now()}.sqlite`);

export const databasePath = (dataDir: string) => join(dataDir, 'awhina.sqlite');

interface OpenOptions {
  /** How long to wait for another process's lock. */
  waitMs: number;
  /** Whether to check for damage first. */
  inspect: boolean;
  /** Whether to migrate the database, which is for the server alone. */
  migrates: boolean;
}

/** @throws where the database could lose what it acknowledges, is damaged, or belongs to another version */
export function openDatabase(dataDir: string, { waitMs, inspect, migrates }: OpenOptions): DatabaseFile {
  createPrivateFile(dataDir);
  const path = databasePath(dataDir);
  const before = identifyFile(path);
  const db = connectSqlite(path, { timeout: waitMs });
  try {
    if (inspect) refuseDamaged(db);
    makeDurable(db);
    migrate(db, dataDir, migrates);
    const opened = suffixes.map((ending) => identifyFile(path + ending));
    if (opened[0] !== before || opened.includes(null))
      throw new Error('The database was replaced while it was opened');
    return {
      db,
      isIntact() {
        if (suffixes.some((ending, index) => identifyFile(path + ending) !== opened[index])) return false;
        return sizeOf(path) >= pageBytes && hasLogHeader(`${path}-wal`);
      },
      setAside() {
        const aside = asidePath(dataDir);
        for (const [index, ending] of suffixes.entries())
          if (identifyFile(path + ending) === opened[index]) renameSync(path + ending, aside + ending);
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function createPrivateFile(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = databasePath(dataDir);
  // SQLite gives the files beside it the mode of the database, which it would itself make readable by everybody.
  // An existing file is not opened for this: closing it would drop the locks of other connections (POSIX).
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' });
  for (const ending of suffixes) makePrivate(path + ending);
}

/**
 * Opens the database for this process alone: no other process has it open, and none can open it until it is closed. There
 * is no shared memory then.
 *
 * @throws SQLITE_BUSY where another process has it open, such as a running server
 */
export function openExclusively(dataDir: string): DatabaseSync {
  createPrivateFile(dataDir);
  const db = connectSqlite(databasePath(dataDir), { timeout: 1_000 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    makeDurable(db);
    refuseDamaged(db);
    // An older database is for the server to migrate.
    migrate(db, dataDir, readVersion(db).version === 0);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** By device and inode, which a rename does not change: a file that replaced another has its name, but not its identity. */
export function identifyFile(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.dev}:${found.ino}` : null;
}

/** The first page, without which there is no database. */
const pageBytes = 4_096;

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Whether the log has its header. A log that was cut off and written on has none, and SQLite would ignore all of it after
 * a crash. Unlike the database, it may be opened beside SQLite: no lock is on it.
 */
function hasLogHeader(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(4);
    const read = readSync(file, head, 0, 4, 0);
    // A purge leaves the log empty, with everything in the database.
    if (read === 0) return true;
    // The last bit tells the order of bytes (sqlite.org/fileformat2.html, 4.1).
    return (head.readUInt32BE() | 1) === 0x377f0683;
  } finally {
    closeSync(file);
  }
}

/** SQLITE_CORRUPT, which SQLite itself returns once it meets the damage. */
const sqliteCorrupt = 11;

/** A damaged file would refuse requests later, one by one, without anybody knowing why. */
function refuseDamaged(db: DatabaseSync): void {
  const found = db.prepare('PRAGMA quick_check(1)').get();
  if (found?.quick_check !== 'ok')
    throw Object.assign(new Error('The database is damaged'), { errcode: sqliteCorrupt });
}

/** Sets what durability needs, and refuses to start where SQLite does not confirm it. */
function makeDurable(db: DatabaseSync): void {
  const read = (sql: string) => Object.values(db.prepare(sql).get() ?? {})[0];
  const version = String(read('SELECT sqlite_version()'));
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [a, b, c] = oldestSafeVersion;
  if (major * 1e6 + minor * 1e3 + patch < a * 1e6 + b * 1e3 + c) {
    throw new StoreUnfit(
      `SQLite ${version} can lose committed data; ${oldestSafeVersion.join('.')} or newer is needed`,
    );
  }
  const journal = read('PRAGMA journal_mode = WAL');
  if (journal !== 'wal')
    throw new StoreUnfit(
      `SQLite keeps its journal in mode ${journal}, and not in wal, on the disk of DATA_DIR`,
    );
  db.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON');
  db.exec(`PRAGMA journal_size_limit = ${logBytes}`);
  const synchronous = read('PRAGMA synchronous');
  if (synchronous !== 2) throw new StoreUnfit(`SQLite syncs at level ${synchronous}, and not at 2 (FULL)`);
}

function migrate(db: DatabaseSync, dataDir: string, migrates: boolean): void {
  const migrations = readMigrations('sqlite');
  const known = migrations.at(-1)?.number ?? 0;
  const found = readVersion(db);
  checkSchema(found, known, migrates);
  if (found.version >= known) return;
  if (found.version > 0) copyBeforeMigration(db, dataDir, known);
  // The lock is taken before the version is read, so that two starting servers apply each migration once.
  db.exec('BEGIN IMMEDIATE');
  try {
    const { version } = readVersion(db);
    for (const { number, sql } of migrations)
      if (number > version) db.exec(`${sql}; PRAGMA user_version = ${number}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function readVersion(db: DatabaseSync): SchemaVersion {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const hasSupport = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_support'").get();
  const oldest = hasSupport ? db.prepare('SELECT oldest FROM schema_support').get()?.oldest : null;
  return { version, oldest: typeof oldest === 'number' ? oldest : null };
}

/** Copies the database before it is migrated. The copy is erased by its age, like everything else. */
function copyBeforeMigration(db: DatabaseSync, dataDir: string, version: number): void {
  // A random name, because another server may start just now. Retention erases a copy that a kill left, like files set aside.
  const copyPath = join(dataDir, `awhina-aside-${randomInt(2 ** 47)}.sqlite`);
  try {
    // Private from the first byte on, whatever the umask; SQLite takes an empty file for a new database.
    writeFileSync(copyPath, '', { mode: 0o600, flag: 'wx' });
    db.prepare('VACUUM INTO ?').run(copyPath);
    // Another server may have migrated meanwhile. Then this copy is of a later state than that server's.
    // SQLite does not sync what VACUUM INTO writes (sqlite.org/lang_vacuum.html).
    if (readVersion(db).version < version)
      renameSynced(copyPath, join(dataDir, `awhina-before-${version}.sqlite`));
  } finally {
    rmSync(copyPath, { force: true });
  }
}

export async function inTransaction<T>(db: DatabaseSync, work: () => T | Promise<T>): Promise<T> {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = await work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A failed COMMIT may have ended the transaction already (a full disk does).
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

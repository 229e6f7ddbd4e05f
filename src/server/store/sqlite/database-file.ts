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
import { DatabaseSync } from 'node:sqlite';
import { makePrivate } from '../../files/private-file.ts';
import { renameSynced } from '../../files/synced-file.ts';
import { StoreUnfit } from '../contract/errors.ts';
import { readMigrations } from '../rows/migrations.ts';
import { checkSchema, type SchemaVersion } from '../rows/schema-version.ts';

/** Before this one a checkpoint racing with a writer could lose committed pages (the WAL-reset bug). */
const oldestSafeVersion = [3, 51, 3] as const;

/** What the log beside the database is cut back to once nobody reads it any more. A long reader lets it grow. */
const logBytes = 4 * 1024 * 1024;

export interface DatabaseFile {
  db: DatabaseSync;
  path: string;
  /**
   * Whether the files that are open are those that have the names, and as whole as they were left: what is in a file
   * without a name is gone with the process. `written`: something was committed just now.
   */
  isReal(written: boolean): boolean;
  /** Moves away what is ours of these files, where others have taken the place of the rest, so that nothing mixes. */
  setAside(): void;
}

/** The database, its log, and the memory that all who have it open share. */
const endings = ['', '-wal', '-shm'] as const;
/** What a file is called that could not stay. `awhina salvage` reads it. */
export const asidePattern = /^awhina-(aside|before)-\d+\.sqlite(-wal|-shm)?$/;

export const asidePath = (dataDir: string) => join(dataDir, `awhina-aside-${Date.now()}.sqlite`);

export const databasePath = (dataDir: string) => join(dataDir, 'awhina.sqlite');

export interface OpenOptions {
  /** How long to wait for another's lock. */
  waitMs: number;
  /** Whether to look for damage first. */
  inspect: boolean;
  /** Whether to bring it up to date, which is for the server alone. */
  migrates: boolean;
}

/** @throws where it would acknowledge what it can lose, is damaged, or is of another version. */
export function openDatabase(dataDir: string, { waitMs, inspect, migrates }: OpenOptions): DatabaseFile {
  makeFile(dataDir);
  const path = databasePath(dataDir);
  const before = identify(path);
  const db = new DatabaseSync(path, { timeout: waitMs });
  try {
    if (inspect) findDamage(db);
    makeDurable(db);
    migrate(db, dataDir, migrates);
    const ours = endings.map((ending) => identify(path + ending));
    if (ours[0] !== before || ours.includes(null))
      throw new Error('The database was replaced while it was opened');
    return {
      db,
      path,
      isReal(written) {
        if (endings.some((ending, index) => identify(path + ending) !== ours[index])) return false;
        return sizeOf(path) >= pageBytes && (!written || isLog(`${path}-wal`));
      },
      setAside() {
        const aside = asidePath(dataDir);
        for (const [index, ending] of endings.entries())
          if (identify(path + ending) === ours[index]) renameSync(path + ending, aside + ending);
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function makeFile(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = databasePath(dataDir);
  // SQLite gives the files beside it the mode of the database, which it would itself make readable by everybody.
  // One that is there is not opened for it: closing it again would drop the locks of other connections (POSIX).
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' });
  for (const ending of endings) makePrivate(path + ending);
}

/**
 * For whoever must be the only one: nobody has it open, and nobody can open it until it is closed again. Then there is no
 * shared memory either.
 *
 * @throws SQLITE_BUSY where somebody has, such as a server that runs.
 */
export function openExclusively(dataDir: string): DatabaseSync {
  makeFile(dataDir);
  const db = new DatabaseSync(databasePath(dataDir), { timeout: 1_000 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    makeDurable(db);
    findDamage(db);
    // One that is older is for the server to bring up to date.
    migrate(db, dataDir, readVersion(db).version === 0);
    return db;
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

/** The least that a database has: its first page. */
const pageBytes = 4_096;

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Whether the log begins as logs do. One that was cut off and written on has nothing there, and all of it would be
 * passed over after a crash. Unlike the database, it may be opened beside SQLite: no lock is on it.
 */
function isLog(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(4);
    const read = readSync(file, head, 0, 4, 0);
    // Empty is how a purge leaves it, with all of it in the database.
    if (read === 0) return true;
    // The last bit tells the order of bytes (sqlite.org/fileformat2.html, 4.1).
    return (head.readUInt32BE() | 1) === 0x377f0683;
  } finally {
    closeSync(file);
  }
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
  if (found.version > 0) copyBefore(db, dataDir, known);
  // The lock is taken before the version is read, so that two starting servers apply each migration once.
  inTransaction(db, () => {
    const { version } = readVersion(db);
    for (const { number, sql } of migrations) {
      if (number > version) db.exec(`${sql}; PRAGMA user_version = ${number}`);
    }
  });
}

function readVersion(db: DatabaseSync): SchemaVersion {
  const version = Number(db.prepare('PRAGMA user_version').get()?.user_version);
  const told = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_support'").get();
  const oldest = told ? db.prepare('SELECT oldest FROM schema_support').get()?.oldest : null;
  return { version, oldest: typeof oldest === 'number' ? oldest : null };
}

/** The database as it was before it was brought up to date. It is erased like everything else, by its age. */
function copyBefore(db: DatabaseSync, dataDir: string, version: number): void {
  // Where a kill leaves it, it is erased with what was set aside. Of its own, because another server may start just now.
  const made = join(dataDir, `awhina-aside-${randomInt(2 ** 47)}.sqlite`);
  try {
    // Private from the first byte on, whoever's umask it is; SQLite takes an empty file for a new one.
    writeFileSync(made, '', { mode: 0o600, flag: 'wx' });
    db.prepare('VACUUM INTO ?').run(made);
    // That other one may have been done with it meanwhile. Then this copy is not of before, and theirs is.
    // SQLite does not sync what VACUUM INTO writes (sqlite.org/lang_vacuum.html).
    if (readVersion(db).version < version)
      renameSynced(made, join(dataDir, `awhina-before-${version}.sqlite`));
  } finally {
    rmSync(made, { force: true });
  }
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

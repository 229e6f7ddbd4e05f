import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivate } from '../private-file.ts';
import { readMigrations } from './migrations/read-migrations.ts';
import { createReference } from './reference.ts';
import { createSqliteArchive } from './sqlite-archive.ts';
import { createSqliteDeliveries } from './sqlite-deliveries.ts';
import { answerColumns } from './stored-submission.ts';
import {
  type Added,
  type NewSubmission,
  type Spent,
  type Store,
  StoreNotDurable,
  StoreUnavailable,
} from './submission-store.ts';

/** Before this one a checkpoint racing with a writer could lose committed pages (the WAL-reset bug). */
const oldestSafeVersion = [3, 51, 3] as const;

/** Another process (a purge, a backup) may hold the write lock this long before a write gives up. Nothing else is
 * answered meanwhile, so it is short: the visitor's browser tries again by itself. */
const busyMs = 2_000;

interface Waiting {
  submission: NewSubmission;
  resolve: (added: Added) => void;
  reject: (error: Error) => void;
}

export function openSqliteStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'awhina.sqlite');
  // SQLite gives the files beside it the mode of the database, which it would itself make readable by everybody.
  // One that is there is not opened for it: closing it again would drop the locks of other connections (POSIX).
  if (!existsSync(path)) writeFileSync(path, '', { mode: 0o600, flag: 'a' });
  for (const file of [path, `${path}-wal`, `${path}-shm`]) makePrivate(file);
  const db = new DatabaseSync(path, { timeout: busyMs });
  try {
    makeDurable(db);
    migrate(db);
  } catch (error) {
    db.close();
    throw error;
  }

  const keepDefinition = db.prepare(
    'INSERT OR IGNORE INTO definitions (hash, form, definition) VALUES (?, ?, ?)',
  );
  const keepSubmission = db.prepare(`
    INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`);
  const keepDelivery = db.prepare('INSERT INTO deliveries (submission, next_attempt_at) VALUES (?, ?)');
  const findSpent = db.prepare(
    'SELECT reference, received_at, answers_hash FROM submissions WHERE token_hash = ?',
  );
  const touchHealth = db.prepare(
    'INSERT INTO health (id, checked_at) VALUES (1, ?) ON CONFLICT DO UPDATE SET checked_at = excluded.checked_at',
  );

  function findByToken(tokenHash: string): Spent | null {
    const row = findSpent.get(tokenHash);
    if (!row) return null;
    return {
      answersHash: String(row.answers_hash),
      receipt: { reference: String(row.reference), receivedAt: String(row.received_at) },
    };
  }

  function insert({ form, answers, verdict, tokenHash, answersHash, receivedAt }: NewSubmission): Added {
    keepDefinition.run(form.hash, form.name, JSON.stringify(form.definition));
    const at = receivedAt.toISOString();
    const [open, sealed] = answerColumns(answers);
    const columns = [open, sealed, JSON.stringify(verdict), tokenHash, answersHash, at] as const;
    for (;;) {
      const reference = createReference();
      const row = keepSubmission.get(reference, form.name, form.hash, ...columns);
      if (row) {
        keepDelivery.run(Number(row.id), at);
        return { added: true, receipt: { reference, receivedAt: at } };
      }
      const spent = findByToken(tokenHash);
      if (spent) return { added: false, spent };
      // Neither kept nor spent: the reference was taken. Draw another.
    }
  }

  // All submissions that wait in one turn of the event loop share one transaction, and so one sync.
  let waiting: Waiting[] = [];
  function commitWaiting(): void {
    const group = waiting;
    waiting = [];
    try {
      const results = inTransaction(db, () => group.map(({ submission }) => insert(submission)));
      for (const [index, result] of results.entries()) group[index]?.resolve(result);
    } catch (cause) {
      const error = new StoreUnavailable('SQLite could not keep the submission', { cause });
      for (const { reject } of group) reject(error);
    }
  }

  async function guarded<T>(work: () => T): Promise<T> {
    try {
      return work();
    } catch (cause) {
      throw new StoreUnavailable('SQLite could not be asked', { cause });
    }
  }

  return {
    ...createSqliteDeliveries(db, guarded),
    ...createSqliteArchive(db, guarded),
    description: `SQLite in ${path}`,
    add: (submission) =>
      new Promise((resolve, reject) => {
        if (waiting.push({ submission, resolve, reject }) === 1) setImmediate(commitWaiting);
      }),
    findByToken: (tokenHash) => guarded(() => findByToken(tokenHash)),
    checkWritable: () => guarded(() => void touchHealth.run(new Date().toISOString())),
    async close() {
      if (waiting.length > 0) commitWaiting();
      if (db.isOpen) db.close();
    },
  };
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

function inTransaction<T>(db: DatabaseSync, work: () => T): T {
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

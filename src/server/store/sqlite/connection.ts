import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';

/** Opens a SQLite file. A file from elsewhere may have views and triggers: they can call nothing that acts outside the database. */
export function connectSqlite(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  const db = new DatabaseSync(path, options);
  db.exec('PRAGMA trusted_schema = OFF');
  return db;
}

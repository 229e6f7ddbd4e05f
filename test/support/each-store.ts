import { onTestFinished } from 'vitest';
import type { Store } from '../../src/server/store/contract/store.ts';
import type { TransferTarget } from '../../src/server/store/contract/transfer.ts';
import { openPostgresStore } from '../../src/server/store/postgres/postgres-store.ts';
import type { TransferRow } from '../../src/server/store/rows/transfer-row.ts';
import { openSqliteStore, type SqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { createDatabase } from './databases.ts';
import { temporaryFolder } from './temporary.ts';

export interface OpenedStore {
  store: Store & TransferTarget<TransferRow>;
  dataDir: string;
  /** The settings a server or a command needs to work on the same data. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

export interface StoreKind {
  open(): Promise<OpenedStore>;
  /** Opens the same data again, after it was closed. */
  reopen(opened: OpenedStore): Promise<OpenedStore['store']>;
}

/** A SQLite store that is closed after the test. */
export async function openStore(dataDir = temporaryFolder()): Promise<SqliteStore> {
  const store = await openSqliteStore(dataDir);
  onTestFinished(() => store.close());
  return store;
}

/** For what only SQLite has, or what does not depend on the database. */
export const sqlite: StoreKind = {
  async open() {
    const dataDir = temporaryFolder();
    const store = await openSqliteStore(dataDir);
    return { store, dataDir, environment: { DATA_DIR: dataDir }, close: () => store.close() };
  },
  reopen: ({ dataDir }) => openSqliteStore(dataDir),
};

const postgres: StoreKind = {
  async open() {
    const url = await createDatabase();
    const dataDir = temporaryFolder();
    const store = await openPostgresStore(url, () => {});
    const environment = { DATA_DIR: dataDir, DATABASE_URL: url };
    return { store, dataDir, environment, close: () => store.close() };
  },
  reopen: ({ environment }) => openPostgresStore(environment.DATABASE_URL ?? '', () => {}),
};

/** The two databases; one suite is run over both. Each `open` is a new and empty one. */
export const eachStore = (): [name: string, StoreKind][] => [
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
];

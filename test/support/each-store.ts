import type { Store } from '../../src/server/store/contract/store.ts';
import type { TransferTarget } from '../../src/server/store/contract/transfer.ts';
import { openPostgresStore } from '../../src/server/store/postgres/postgres-store.ts';
import type { TransferRow } from '../../src/server/store/rows/transfer-row.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
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
  end(): Promise<void>;
}

/** For what only SQLite has, or what does not depend on the database. */
export const sqlite: StoreKind = {
  async open() {
    const dataDir = temporaryFolder();
    const store = await openSqliteStore(dataDir);
    return { store, dataDir, environment: { DATA_DIR: dataDir }, close: () => store.close() };
  },
  reopen: ({ dataDir }) => openSqliteStore(dataDir),
  async end() {},
};

/** The two databases; one suite is run over both. Each `open` is a new and empty one. */
export function eachStore(): [name: string, StoreKind][] {
  let postgres: Promise<TestPostgres> | undefined;
  return [
    ['SQLite', sqlite],
    [
      'PostgreSQL',
      {
        async open() {
          postgres ??= startPostgres();
          const url = await (await postgres).createDatabase();
          const dataDir = temporaryFolder();
          const store = await openPostgresStore(url, () => {});
          const environment = { DATA_DIR: dataDir, DATABASE_URL: url };
          return { store, dataDir, environment, close: () => store.close() };
        },
        reopen: ({ environment }) => openPostgresStore(environment.DATABASE_URL ?? '', () => {}),
        end: async () => (await postgres)?.remove(),
      },
    ],
  ];
}

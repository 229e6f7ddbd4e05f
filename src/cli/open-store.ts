import { existsSync } from 'node:fs';
import { readSettings, type Settings } from '../server/settings.ts';
import { explainDataDir, explained, isForSettings } from '../server/start-problems.ts';
import { databasePath } from '../server/submissions/sqlite/database.ts';
import { openSqliteStore } from '../server/submissions/sqlite/sqlite-store.ts';
import type { Store } from '../server/submissions/submission-store.ts';
import { CommandFailed } from './command.ts';
import { remark } from './terminal.ts';

/** Opens the same database as the server, beside it, and closes it whatever happens. */
export async function withStore<T>(work: (store: Store, settings: Settings) => Promise<T>): Promise<T> {
  const settings = readSettings();
  const store = await open(settings);
  try {
    return await work(store, settings);
  } finally {
    await store.close();
  }
}

async function open({ databaseUrl, dataDir }: Settings): Promise<Store> {
  if (databaseUrl) return openDatabase(databaseUrl, dataDir);
  // Opening would make an empty one, and "no requests" would be the wrong answer to a wrong folder.
  if (!existsSync(databasePath(dataDir))) {
    throw new CommandFailed(
      `There is no database in ${dataDir} yet.\nIs this the project's folder, and is DATA_DIR the same as the server's?`,
    );
  }
  return explained(explainDataDir, () => openSqliteStore(dataDir));
}

/** With what the server on this machine keeps for PostgreSQL while that is away. */
async function openDatabase(url: string, dataDir: string): Promise<Store> {
  const { describePostgres, openPostgresStore } = await import(
    '../server/submissions/postgres/postgres-store.ts'
  );
  const { createStoreWithSpare } = await import('../server/submissions/store-with-spare.ts');
  const connect = () => openPostgresStore(url, () => {});
  const unreachable = (cause: unknown) =>
    new CommandFailed('The database in DATABASE_URL cannot be reached.', { cause });
  if (!existsSync(databasePath(dataDir))) {
    return connect().catch((cause) => {
      throw unreachable(cause);
    });
  }
  const spare = await explained(explainDataDir, () => openSqliteStore(dataDir));
  const store = createStoreWithSpare({
    description: describePostgres(url),
    connect,
    spare,
    now: () => new Date(),
    onAway: () => {},
    onStillAway: () => {},
    onBack: async () => {},
    onMoved: () => {},
    onMoveFailed: () => {},
  });
  try {
    // Reading does not need a database that takes something.
    await store.look(false);
    return store;
  } catch (cause) {
    if (isForSettings(cause as Error)) {
      await store.close();
      throw unreachable(cause);
    }
    remark(
      'The database in DATABASE_URL cannot be reached. This is only what the server on this machine keeps until it is back.',
    );
    return spare;
  }
}

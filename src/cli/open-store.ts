import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, type Settings } from '../server/settings.ts';
import { explainDataDir, explained } from '../server/start-problems.ts';
import { openSqliteStore } from '../server/submissions/sqlite/sqlite-store.ts';
import type { Store } from '../server/submissions/submission-store.ts';
import { CommandFailed } from './command.ts';

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
  if (databaseUrl) {
    const { openPostgresStore } = await import('../server/submissions/postgres/postgres-store.ts');
    return openPostgresStore(databaseUrl, () => {}).catch((cause) => {
      throw new CommandFailed('The database in DATABASE_URL cannot be reached.', { cause });
    });
  }
  // Opening would make an empty one, and "no requests" would be the wrong answer to a wrong folder.
  if (!existsSync(join(dataDir, 'awhina.sqlite'))) {
    throw new CommandFailed(
      `There is no database in ${dataDir} yet.\nIs this the project's folder, and is DATA_DIR the same as the server's?`,
    );
  }
  return explained(explainDataDir, () => openSqliteStore(dataDir));
}

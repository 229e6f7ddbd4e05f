import { existsSync } from 'node:fs';
import { readSettings, type Settings } from '../server/settings/settings.ts';
import { refuseForeignDatabase } from '../server/start/foreign-files.ts';
import {
  describeUnreachable,
  explainDatabase,
  explainDataDir,
  withExplanation,
} from '../server/start/start-problems.ts';
import { StoreUnfit } from '../server/store/contract/errors.ts';
import type { Store } from '../server/store/contract/store.ts';
import type { TransferTarget } from '../server/store/contract/transfer.ts';
import type { TransferRow } from '../server/store/rows/transfer-row.ts';
import { databasePath } from '../server/store/sqlite/database-file.ts';
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts';
import { refuseUnfinishedRestore } from '../server/store/transfer/unfinished-restore.ts';
import { CommandFailed } from './command.ts';
import { remark, styled } from './terminal.ts';

type OpenedStore = Store & TransferTarget<TransferRow>;

/** Opens the server's database, which the running server may have open too, and closes it in every case. */
export async function withStore<T>(
  work: (store: OpenedStore, settings: Settings, isComplete: boolean) => Promise<T>,
): Promise<T> {
  const settings = readSettings();
  const { store, isComplete } = await open(settings);
  showWhichData(store.description, settings);
  try {
    return await work(store, settings, isComplete);
  } finally {
    await store.close();
  }
}

/** Shown on a terminal, so that nobody takes one site's requests for another's. */
export function showWhichData(description: string, settings: Settings): void {
  const source = settings.file ?? 'the environment alone';
  if (process.stderr.isTTY) remark(styled('dim', `Requests in ${description} (settings: ${source})`));
}

interface Opened {
  store: OpenedStore;
  /** False during an outage of PostgreSQL: then only the requests in the local fallback can be reached. */
  isComplete: boolean;
}

async function open({ databaseUrl, dataDir }: Settings): Promise<Opened> {
  refuseUnfinishedRestore(dataDir);
  if (databaseUrl) return openPostgres(databaseUrl, dataDir);
  refuseMissingDatabase(dataDir);
  refuseForeignDatabase(dataDir);
  const store = await withExplanation(explainDataDir, () => openSqliteStore(dataDir, { migrates: false }));
  return { store, isComplete: true };
}

/** Opening a missing database would make an empty one, and "no requests" would be the wrong answer to a wrong DATA_DIR. */
export function refuseMissingDatabase(dataDir: string): void {
  if (existsSync(databasePath(dataDir))) return;
  throw new CommandFailed(
    `There is no database in ${dataDir} yet.\nIs this the project's folder, and is DATA_DIR the same as the server's?`,
  );
}

/** Requests from before the change to PostgreSQL, or from an outage of PostgreSQL. */
function describeUntransferred(count: number, dataDir: string): string {
  const requests = count === 1 ? '1 request is' : `${count} requests are`;
  return `${requests} in ${databasePath(dataDir)} still and not in PostgreSQL. The running server moves them there; here they are counted in.`;
}

/** PostgreSQL together with the local fallback, which holds the requests that came during an outage of PostgreSQL. */
async function openPostgres(url: string, dataDir: string): Promise<Opened> {
  const { describePostgres, openPostgresStore } = await import('../server/store/postgres/postgres-store.ts');
  const { createStoreWithFallback } = await import('../server/store/fallback/store-with-fallback.ts');
  const connect = () => openPostgresStore(url, () => {}, { migrates: false });
  const unreachable = (cause: unknown) =>
    cause instanceof StoreUnfit ? cause : new CommandFailed(describeUnreachable(cause as Error), { cause });
  if (!existsSync(databasePath(dataDir))) {
    const store = await connect().catch((cause) => {
      throw unreachable(cause);
    });
    return { store, isComplete: true };
  }
  refuseForeignDatabase(dataDir);
  const fallback = await withExplanation(explainDataDir, () => openSqliteStore(dataDir, { migrates: false }));
  const store = createStoreWithFallback({
    description: describePostgres(url),
    connect,
    fallback,
    now: () => new Date(),
    onAway: () => {},
    onStillAway: () => {},
    onBack: async () => {},
    onTransferred: () => {},
    onTransferFailed: () => {},
  });
  try {
    // A database that cannot be written to can still be read.
    await store.check(false);
    const untransferred = await fallback.countAll();
    if (untransferred > 0) remark(describeUntransferred(untransferred, dataDir));
    return { store, isComplete: true };
  } catch (cause) {
    if (cause instanceof StoreUnfit || explainDatabase(cause as Error)) {
      await store.close();
      throw unreachable(cause);
    }
    remark(
      `${describeUnreachable(cause as Error)} This is only what the server on this machine keeps until it is back.`,
    );
    return { store: fallback, isComplete: false };
  }
}

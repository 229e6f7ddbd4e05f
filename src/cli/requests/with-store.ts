import { existsSync } from 'node:fs';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import { refuseForeignDatabase } from '../../server/start/foreign-files.ts';
import {
  describeUnreachable,
  explainDataDir,
  explained,
  isForSettings,
} from '../../server/start/start-problems.ts';
import { StoreUnfit } from '../../server/store/contract/errors.ts';
import type { Store } from '../../server/store/contract/store.ts';
import type { TransferTarget } from '../../server/store/contract/transfer.ts';
import type { TransferRow } from '../../server/store/rows/transfer-row.ts';
import { databasePath } from '../../server/store/sqlite/database-file.ts';
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts';
import { refuseUnfinishedRestore } from '../../server/store/transfer/unfinished-restore.ts';
import { CommandFailed } from '../command.ts';
import { remark, styled } from '../terminal.ts';

export type OpenedStore = Store & TransferTarget<TransferRow>;

/** Opens the same database as the server, beside it, and closes it whatever happens. */
export async function withStore<T>(work: (store: OpenedStore, settings: Settings) => Promise<T>): Promise<T> {
  const settings = readSettings();
  const store = await open(settings);
  sayWhichData(store.description, settings);
  try {
    return await work(store, settings);
  } finally {
    await store.close();
  }
}

/** On a terminal, so that nobody takes one site's requests for another's. A pipe gets the output alone. */
export function sayWhichData(description: string, settings: Settings): void {
  if (process.stderr.isTTY) remark(styled('dim', describeData(description, settings)));
}

/** Which requests these are, and who said so. */
export function describeData(description: string, { file }: Pick<Settings, 'file'>): string {
  return `Requests in ${description} (settings: ${file ?? 'the environment alone'})`;
}

async function open({ databaseUrl, dataDir }: Settings): Promise<OpenedStore> {
  refuseUnfinishedRestore(dataDir);
  if (databaseUrl) return openDatabase(databaseUrl, dataDir);
  refuseMissingDatabase(dataDir);
  refuseForeignDatabase(dataDir);
  return explained(explainDataDir, () => openSqliteStore(dataDir, { migrates: false }));
}

/** Opening a missing database would make an empty one, and "no requests" would be the wrong answer to a wrong DATA_DIR. */
export function refuseMissingDatabase(dataDir: string): void {
  if (existsSync(databasePath(dataDir))) return;
  throw new CommandFailed(
    `There is no database in ${dataDir} yet.\nIs this the project's folder, and is DATA_DIR the same as the server's?`,
  );
}

/** From before there was PostgreSQL, or from while it was away. */
function describeLeft(count: number, dataDir: string): string {
  const those = count === 1 ? '1 request is' : `${count} requests are`;
  return `${those} in ${databasePath(dataDir)} still and not in PostgreSQL. The running server moves them there; here they are counted in.`;
}

/** With what the server on this machine keeps for PostgreSQL while that is away. */
async function openDatabase(url: string, dataDir: string): Promise<OpenedStore> {
  const { describePostgres, openPostgresStore } = await import(
    '../../server/store/postgres/postgres-store.ts'
  );
  const { createStoreWithFallback: createStoreWithSpare } = await import(
    '../../server/store/fallback/store-with-fallback.ts'
  );
  const connect = () => openPostgresStore(url, () => {}, { migrates: false });
  const unreachable = (cause: unknown) =>
    cause instanceof StoreUnfit ? cause : new CommandFailed(describeUnreachable(cause as Error), { cause });
  if (!existsSync(databasePath(dataDir))) {
    return connect().catch((cause) => {
      throw unreachable(cause);
    });
  }
  refuseForeignDatabase(dataDir);
  const spare = await explained(explainDataDir, () => openSqliteStore(dataDir, { migrates: false }));
  const store = createStoreWithSpare({
    description: describePostgres(url),
    connect,
    fallback: spare,
    now: () => new Date(),
    onAway: () => {},
    onStillAway: () => {},
    onBack: async () => {},
    onTransferred: () => {},
    onTransferFailed: () => {},
  });
  try {
    // Reading does not need a database that takes something.
    await store.check(false);
    const left = await spare.countAll();
    if (left > 0) remark(describeLeft(left, dataDir));
    return store;
  } catch (cause) {
    if (cause instanceof StoreUnfit || isForSettings(cause as Error)) {
      await store.close();
      throw unreachable(cause);
    }
    remark(
      `${describeUnreachable(cause as Error)} This is only what the server on this machine keeps until it is back.`,
    );
    return spare;
  }
}

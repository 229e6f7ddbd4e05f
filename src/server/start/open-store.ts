import type { Log } from '../log/log.ts';
import { BadSettings, type Settings } from '../settings/settings.ts';
import { StoreUnfit } from '../store/contract/errors.ts';
import type { SharedStore } from '../store/contract/store.ts';
import { createStoreWithFallback, type StoreWithFallback } from '../store/fallback/store-with-fallback.ts';
import type { TransferRow } from '../store/rows/transfer-row.ts';
import { openSqliteStore, type SqliteStore } from '../store/sqlite/sqlite-store.ts';
import { explainDatabase, explainDataDir, withExplanation } from './start-problems.ts';

interface StoreEvents {
  log: Log;
  /** PostgreSQL was reached, for the first time or again. */
  onBack: (database: SharedStore) => Promise<void>;
  /** This process cannot use SQLite any more and must end. */
  onUnusable: () => void;
}

/** Opens the store: a file in DATA_DIR, or PostgreSQL with that file as its fallback. */
export async function openStore(
  { dataDir, databaseUrl }: Settings,
  { log, onBack, onUnusable }: StoreEvents,
): Promise<SqliteStore | StoreWithFallback<TransferRow>> {
  const file = await withExplanation(explainDataDir, () =>
    openSqliteStore(dataDir, {
      inspect: true,
      onReplaced({ count, isRescued }) {
        log.error({ event: 'data folder replaced', count });
        // The supervisor starts the server again, in the new folder. A server that would lose waiting requests goes on mailing
        // them: deleted files are there until it ends.
        if (count === 0 || isRescued) onUnusable();
      },
      onDead: onUnusable,
    }),
  );
  if (!databaseUrl) return file;
  const { describePostgres, openPostgresStore } = await import('../store/postgres/postgres-store.ts');
  const onConnectionError = (err: Error) => log.error({ event: 'database connection lost', err });
  const store = createStoreWithFallback({
    description: describePostgres(databaseUrl),
    connect: () => openPostgresStore(databaseUrl, onConnectionError),
    fallback: file,
    now: () => new Date(),
    onAway: (err) => log.error({ event: 'database away', err }),
    onStillAway: (err) => log.warn({ event: 'database still away', err }),
    async onBack(database) {
      await onBack(database);
      log.info({ event: 'database back' });
    },
    onTransferred: (count) => log.info({ event: 'requests transferred', count }),
    onTransferFailed: (err) => log.error({ event: 'requests not transferred', err }),
  });
  // A problem that only a setting can mend stops the start; a database that does not answer may be back in a minute.
  await withExplanation(explainDatabase, () => store.check()).catch((err: unknown) => {
    if (err instanceof StoreUnfit || err instanceof BadSettings) throw err;
    log.error({ event: 'database away', err });
  });
  return store;
}

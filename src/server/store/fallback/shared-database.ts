import { runEvery } from '../../time/run-every.ts';
import { StoreUnavailable } from '../contract/errors.ts';
import type { SharedStore } from '../contract/store.ts';

/** PostgreSQL's codes for a missing table and a missing database, as after a restore from nothing. */
const missingCodes = ['42P01', '3D000'];
const codeOf = (error: unknown): string | undefined =>
  (error as { code?: string }).code ?? (error as { cause?: { code?: string } }).cause?.code;

/** How often a reconnection is tried while the database is away. */
const reconnectMs = 1_000;

interface SharedDatabaseParts<Shared extends SharedStore> {
  /** Connects, checks that the database syncs, and migrates its tables. */
  connect: () => Promise<Shared>;
  onAway: (error: Error) => void;
  /** After each reconnection that failed. */
  onStillAway: (error: unknown) => void;
  /** At every connection, the first included. The database is not used before this resolves; a failure is tried again. */
  onBack: (store: Shared) => Promise<void>;
}

/** The database that all servers share. It may be away for a while. */
export interface SharedDatabase<Shared extends SharedStore = SharedStore> {
  readonly isAway: boolean;
  /** @throws {StoreUnavailable} at once while the database is known to be away, and where it cannot be reached now */
  use<T>(work: (store: Shared) => Promise<T>): Promise<T>;
  /** Connects once and by default tries to write. @throws the reason why the database cannot be used */
  check(trial?: boolean): Promise<void>;
  /** Reconnects from now on, whenever the database is away. */
  watch(): void;
  close(): Promise<void>;
}

export function createSharedDatabase<Shared extends SharedStore>({
  connect,
  onAway,
  onStillAway,
  onBack,
}: SharedDatabaseParts<Shared>): SharedDatabase<Shared> {
  let store: Shared | null = null;
  let isAway = true;
  let stopWatching = () => {};

  async function check(trial = true): Promise<void> {
    store ??= await connect();
    try {
      // A database that answers but takes no write, such as a standby or one with a full disk, counts as away.
      if (trial) await store.tryWrite();
      await onBack(store);
      isAway = false;
    } catch (error) {
      // The next connection creates the tables.
      if (missingCodes.includes(codeOf(error) ?? '')) {
        await store.close();
        store = null;
      }
      throw error;
    }
  }

  return {
    get isAway() {
      return isAway;
    },
    async use(work) {
      if (isAway || !store) throw new StoreUnavailable('PostgreSQL is away');
      try {
        return await work(store);
      } catch (error) {
        if (error instanceof StoreUnavailable && !isAway) {
          isAway = true;
          onAway(error);
        }
        throw error;
      }
    },
    check,
    watch() {
      stopWatching = runEvery(
        reconnectMs,
        async () => {
          if (isAway) await check();
        },
        onStillAway,
      );
    },
    async close() {
      stopWatching();
      await store?.close();
    },
  };
}

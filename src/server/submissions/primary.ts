import { runEvery } from '../recurring.ts';
import type { PostgresStore } from './postgres/postgres-store.ts';
import { StoreUnavailable } from './submission-store.ts';

/** How often a database that is away is looked for. */
const lookMs = 1_000;

export interface PrimaryParts {
  /** Opens it: reached, known to sync, and with its tables as they should be. */
  connect: () => Promise<PostgresStore>;
  onAway: (error: Error) => void;
  /** Also the first time. Until it is done nothing is kept there, and where it fails it is tried again. */
  onBack: (store: PostgresStore) => Promise<void>;
}

/** The database that all servers share, and that may be away. */
export interface Primary {
  readonly isAway: boolean;
  /** @throws {StoreUnavailable} at once while it is away, and where it turns out to be. */
  use<T>(work: (store: PostgresStore) => Promise<T>): Promise<T>;
  /** Looks for it once. @throws what keeps it from being used. */
  look(): Promise<void>;
  /** Looks for it from now on, whenever it is away. */
  watch(): void;
  close(): Promise<void>;
}

export function createPrimary({ connect, onAway, onBack }: PrimaryParts): Primary {
  let store: PostgresStore | null = null;
  let isAway = true;
  let stopWatching = () => {};

  async function look(): Promise<void> {
    store ??= await connect();
    // One that answers but keeps nothing, as a standby does or one with a full disk, is as good as away.
    await store.tryKeeping();
    await onBack(store);
    isAway = false;
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
    look,
    watch() {
      stopWatching = runEvery(
        lookMs,
        async () => {
          if (isAway) await look();
        },
        () => {},
      );
    },
    async close() {
      stopWatching();
      await store?.close();
    },
  };
}

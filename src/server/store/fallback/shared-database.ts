import { runEvery } from '../../time/run-every.ts';
import { StoreUnavailable } from '../contract/errors.ts';
import type { SharedStore } from '../contract/store.ts';

/** No such table, no such database. */
const remade = ['42P01', '3D000'];
const codeOf = (error: unknown): string | undefined =>
  (error as { code?: string }).code ?? (error as { cause?: { code?: string } }).cause?.code;

/** How often a database that is away is looked for. */
const checkMs = 1_000;

export interface SharedDatabaseParts<Shared extends SharedStore> {
  /** Opens it: reached, known to sync, and with its tables as they should be. */
  connect: () => Promise<Shared>;
  onAway: (error: Error) => void;
  /** Told at every look that does not find it. */
  onStillAway: (error: unknown) => void;
  /** Also the first time. Until it is done nothing is kept there, and where it fails it is tried again. */
  onBack: (store: Shared) => Promise<void>;
}

/** The database that all servers share, and that may be away. */
export interface SharedDatabase<Shared extends SharedStore = SharedStore> {
  readonly isAway: boolean;
  /** @throws {StoreUnavailable} at once while it is away, and where it turns out to be. */
  use<T>(work: (store: Shared) => Promise<T>): Promise<T>;
  /** Looks for it once, and by default tries whether it keeps something. @throws what keeps it from being used. */
  check(trial?: boolean): Promise<void>;
  /** Looks for it from now on, whenever it is away. */
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
      // One that answers but keeps nothing, as a standby does or one with a full disk, is as good as away.
      if (trial) await store.tryWrite();
      await onBack(store);
      isAway = false;
    } catch (error) {
      // It was made anew, and has no tables yet: connecting makes them.
      if (remade.includes(codeOf(error) ?? '')) {
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
    check: check,
    watch() {
      stopWatching = runEvery(
        checkMs,
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

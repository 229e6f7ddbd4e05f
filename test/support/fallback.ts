import pg from 'pg';
import { onTestFinished } from 'vitest';
import { StoreUnavailable } from '../../src/server/store/contract/errors.ts';
import type { Added } from '../../src/server/store/contract/submission.ts';
import { createStoreWithFallback } from '../../src/server/store/fallback/store-with-fallback.ts';
import { openPostgresStore, type PostgresStore } from '../../src/server/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { createDatabase } from './databases.ts';
import { temporaryFolder } from './temporary.ts';

/** A database whose `add` works, fails, or works without its reply arriving, as a test sets it. */
export async function prepareFallback() {
  const url = await createDatabase();
  const fallback = await openSqliteStore(temporaryFolder());
  const database: { mode: 'there' | 'away' | 'mute' } = { mode: 'there' };
  const away = () => new StoreUnavailable('taken away');
  const moved: number[] = [];
  const store = createStoreWithFallback({
    description: 'PostgreSQL',
    fallback,
    now: () => new Date(),
    async connect(): Promise<PostgresStore> {
      if (database.mode !== 'there') throw away();
      const real = await openPostgresStore(url, () => {});
      const guard = async <T>(work: () => Promise<T>): Promise<T> => {
        if (database.mode === 'away') throw away();
        const result = await work();
        // The write was done, and its reply was lost.
        if (database.mode === 'mute') throw away();
        return result;
      };
      return {
        ...real,
        add: (one) => guard(() => real.add(one)),
        tryWrite: () => guard(() => real.tryWrite()),
        importRows: (rows) => guard(() => real.importRows(rows)),
        summariseUnseen: (...given) => guard(() => real.summariseUnseen(...given)),
        claimJobs: (...given) => guard(() => real.claimJobs(...given)),
      };
    },
    onAway: () => {},
    onStillAway: () => {},
    onBack: async () => {},
    onTransferred: (count) => moved.push(count),
    onTransferFailed: () => {},
  });
  onTestFinished(() => store.close());
  async function rows(): Promise<{ reference: string; token_hash: string; delivered: boolean }[]> {
    const client = new pg.Client(url);
    // A database that is just dropped or made anew ends connections.
    client.on('error', () => {});
    await client.connect();
    const sql = `SELECT reference, token_hash, accepted_at IS NOT NULL AS delivered FROM submissions ORDER BY id`;
    const found = await client.query(sql);
    await client.end();
    return found.rows;
  }
  return { store, fallback, database, moved, rows, url };
}

export const referenceOf = (added: Added): string =>
  added.added ? added.receipt.reference : added.spent.receipt.reference;

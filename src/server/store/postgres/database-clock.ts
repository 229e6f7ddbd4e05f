import type { QueryResult } from 'pg';

type Query = (text: string, values: unknown[]) => Promise<QueryResult>;

/** A difference that was found this long ago is asked for again: a clock may have been set meanwhile. */
const freshMs = 10_000;

/** Clocks this close agree as far as a lease of a minute is concerned, and the way there and back takes a while too. */
const noMatterMs = 1_000;

export interface DatabaseClock {
  /** The same moment, as the database's clock shows it. */
  toDatabase(at: Date): Promise<Date>;
}

/**
 * How far this server's clock is from the database's. Leases are only worth something by one clock, and the database's
 * is the one that all servers have in common.
 */
export function createDatabaseClock(query: Query, monotonic = () => performance.now()): DatabaseClock {
  let aheadMs = 0;
  let foundAt = Number.NEGATIVE_INFINITY;
  let ours = Date.now() - monotonic();

  return {
    async toDatabase(at) {
      const now = monotonic();
      // A clock that was set shows at once beside one that cannot be.
      const wasSet = Math.abs(Date.now() - now - ours) > 100;
      if (wasSet || now - foundAt > freshMs) {
        const asked = Date.now();
        const { rows } = await query('SELECT clock_timestamp() AS now', []);
        // It was read somewhere on the way there and back.
        const found = Math.round((rows[0].now as Date).getTime() - (asked + Date.now()) / 2);
        aheadMs = Math.abs(found) < noMatterMs ? 0 : found;
        foundAt = monotonic();
        ours = Date.now() - foundAt;
      }
      return new Date(at.getTime() + aheadMs);
    },
  };
}

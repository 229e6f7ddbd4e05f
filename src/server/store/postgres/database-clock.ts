import type { Query } from '../rows/sql.ts';

/** The difference is measured again after this long: a clock may have been set meanwhile. */
const remeasureMs = 10_000;

/** A smaller difference does not matter to a lease of a minute, and the round trip takes a while too. */
const toleranceMs = 1_000;

/**
 * Leases of several servers need one clock, so they are written by the database's. Returns a function that converts a moment
 * of this server's clock to the database's clock.
 */
export function createDatabaseClock(query: Query) {
  let aheadMs = 0;
  let measuredAt = Number.NEGATIVE_INFINITY;
  let wallMinusMonotonic = Date.now() - performance.now();

  return async (at: Date): Promise<Date> => {
    const now = performance.now();
    // Nobody can set the monotonic clock, so where the two drift apart, the wall clock was set.
    const wasSet = Math.abs(Date.now() - now - wallMinusMonotonic) > 100;
    if (wasSet || now - measuredAt > remeasureMs) {
      const askedAt = Date.now();
      const { rows } = await query('SELECT clock_timestamp() AS now');
      // The database read its clock at some moment of the round trip: the middle is the best guess.
      const databaseNow = new Date(rows[0]?.now as Date);
      const measuredMs = Math.round(databaseNow.getTime() - (askedAt + Date.now()) / 2);
      aheadMs = Math.abs(measuredMs) < toleranceMs ? 0 : measuredMs;
      measuredAt = performance.now();
      wallMinusMonotonic = Date.now() - measuredAt;
    }
    return new Date(at.getTime() + aheadMs);
  };
}

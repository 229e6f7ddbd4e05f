import type { Query } from '../rows/sql.ts';

/** The difference is measured again after this long: a clock may have been set meanwhile. */
const freshMs = 10_000;

/** A smaller difference does not matter to a lease of a minute, and the round trip takes a while too. */
const noMatterMs = 1_000;

/**
 * How far this server's clock is from the database's. Leases are only worth something by one clock, and the database's
 * is the one that all servers have in common. Returns a function that gives a moment as the database's clock shows it.
 */
export function createDatabaseClock(query: Query) {
  let aheadMs = 0;
  let foundAt = Number.NEGATIVE_INFINITY;
  let ours = Date.now() - performance.now();

  return async (at: Date): Promise<Date> => {
    const now = performance.now();
    // The monotonic clock cannot be set, so a jump between the two shows that the other one was.
    const wasSet = Math.abs(Date.now() - now - ours) > 100;
    if (wasSet || now - foundAt > freshMs) {
      const asked = Date.now();
      const { rows } = await query('SELECT clock_timestamp() AS now');
      // The database read its clock at some moment of the round trip: the middle is the best guess.
      const read = new Date(rows[0]?.now as Date);
      const found = Math.round(read.getTime() - (asked + Date.now()) / 2);
      aheadMs = Math.abs(found) < noMatterMs ? 0 : found;
      foundAt = performance.now();
      ours = Date.now() - foundAt;
    }
    return new Date(at.getTime() + aheadMs);
  };
}

import { type Leases, latestPlausible } from '../contract/leases.ts';
import { oldTests, type Signs } from '../contract/signs.ts';
import type { Sql } from './sql.ts';
import { toDate } from './submission-row.ts';

/** A row of `chores` is the name of a job, and when the job was last done. Older servers may share the table. */
export const insertIfMissing = 'INSERT INTO chores VALUES ($1, $2) ON CONFLICT DO NOTHING';
export const recordDone =
  'INSERT INTO chores VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET done_at = excluded.done_at';

/** When expired requests were last erased, if that is later than the time in `than`: a clock that shows less is behind. */
export const erasedAfter = (than: string) =>
  `(SELECT done_at FROM chores WHERE name = 'erase' AND done_at > ${than})`;
const claimInterval = `${recordDone} WHERE chores.done_at <= $3 OR chores.done_at > $4`;
const claimDue = `
  UPDATE chores SET done_at = $2 WHERE name = $1 AND (done_at <= $3 OR done_at > $4)
    AND EXISTS (SELECT 1 FROM chores job WHERE job.name = $5 AND (job.done_at < $6 OR job.done_at > $4))`;

/** The lease of a job that is due at a moment has a row of its own. The row outlives the job: a late server cannot claim twice. */
const leaseName = (name: string) => `${name}, in hand`;

export function createLeases({ query, toDatabaseTime }: Sql): Leases & Signs {
  return {
    async claimLease({ name, leaseMs, ...job }, at) {
      const now = await toDatabaseTime(at);
      if ('everyMs' in job) {
        const due = now.getTime() - job.everyMs;
        // As if the job had been done so long ago that it is due when the lease ends.
        const times = [new Date(due + leaseMs), new Date(due), latestPlausible(now)];
        return (await query(claimInterval, [name, ...times])).rowCount === 1;
      }
      if ((await query(insertIfMissing, [name, job.due])).rowCount === 1) return false;
      await query(insertIfMissing, [leaseName(name), new Date(0)]);
      const leasedBefore = new Date(now.getTime() - leaseMs);
      const values = [leaseName(name), now, leasedBefore, latestPlausible(now), name, job.due];
      return (await query(claimDue, values)).rowCount === 1;
    },
    async finishLease({ name, ...job }, at) {
      await query(recordDone, [name, 'due' in job ? job.due : await toDatabaseTime(at)]);
    },
    async recordSign(name, at) {
      const now = await toDatabaseTime(at);
      await query(recordDone, [name, now]);
      const before = new Date(now.getTime() - oldTests.afterMs);
      await query('DELETE FROM chores WHERE name LIKE $1 AND done_at < $2', [oldTests.like, before]);
    },
    async findSign(name) {
      const { rows } = await query('SELECT done_at FROM chores WHERE name = $1', [name]);
      return toDate(rows[0]?.done_at ?? null);
    },
  };
}

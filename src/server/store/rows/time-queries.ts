import { oldTests, type Times } from '../contract/times.ts';
import type { Query, Sql } from './sql.ts';
import { toDate } from './submission-row.ts';

export const insertTimeOnce = 'INSERT INTO times VALUES ($1, $2) ON CONFLICT DO NOTHING';
export const setTime = 'INSERT INTO times VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at';

/** When expired requests were last erased, if that is later than the time in `than`: a clock that shows less is behind. */
export const erasedAfter = (than: string) => `(SELECT at FROM times WHERE name = 'erase' AND at > ${than})`;

/** A request that somebody has just followed up is not erased because the clock is behind. */
export const laterOf = (at: string) => `coalesce(${erasedAfter(at)}, ${at})`;

export async function findTime(query: Query, name: string): Promise<Date | null> {
  const { rows } = await query('SELECT at FROM times WHERE name = $1', [name]);
  return toDate(rows[0]?.at ?? null);
}

export function createTimes({ query, toDatabaseTime }: Sql): Times {
  return {
    async recordTime(name, at) {
      const now = await toDatabaseTime(at);
      await query(setTime, [name, now]);
      const before = new Date(now.getTime() - oldTests.afterMs);
      await query('DELETE FROM times WHERE name LIKE $1 AND at < $2', [oldTests.like, before]);
    },
    findTime: (name) => findTime(query, name),
  };
}

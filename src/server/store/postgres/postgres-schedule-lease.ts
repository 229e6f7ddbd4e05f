import type { QueryResult } from 'pg';
import { type ChoreBook, inHand, latestPlausible } from '../contract/leases.ts';
import type { DatabaseClock } from './database-clock.ts';

type Query = (text: string, values: unknown[]) => Promise<QueryResult>;

const claim = `
  INSERT INTO chores AS c SELECT $1, $2::timestamptz
  WHERE EXISTS (SELECT FROM chores WHERE name = $3 AND (done_at < $4 OR done_at > $5))
  ON CONFLICT (name) DO UPDATE SET done_at = excluded.done_at WHERE c.done_at <= $6 OR c.done_at > $5`;

/** Which of the chores are done, in PostgreSQL. */
export function createPostgresChores(query: Query, clock: DatabaseClock): ChoreBook {
  return {
    async claimChore(name, due, at, leaseMs) {
      const begun = await query('INSERT INTO chores VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, due]);
      if (begun.rowCount === 1) return false;
      const now = await clock.toDatabase(at);
      const free = new Date(now.getTime() - leaseMs);
      const { rowCount } = await query(claim, [inHand(name), now, name, due, latestPlausible(now), free]);
      return rowCount === 1;
    },
    async finishChore(name, due) {
      await query('UPDATE chores SET done_at = $1 WHERE name = $2', [due, name]);
    },
  };
}

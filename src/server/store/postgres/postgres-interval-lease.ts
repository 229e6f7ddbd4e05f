import type { QueryResult } from 'pg';
import { type Turns, turnTimes } from '../contract/leases.ts';
import type { DatabaseClock } from './database-clock.ts';

type Query = (text: string, values: unknown[]) => Promise<QueryResult>;

const claim = `
  INSERT INTO chores VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET done_at = excluded.done_at
  WHERE chores.done_at <= $3 OR chores.done_at > $4`;
const finish =
  'INSERT INTO chores VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET done_at = excluded.done_at';

export function createPostgresTurns(query: Query, clock: DatabaseClock): Turns {
  return {
    async claimTurn(name, at, everyMs, leaseMs) {
      const { due, leased, far } = turnTimes(await clock.toDatabase(at), everyMs, leaseMs);
      return (await query(claim, [name, leased, due, far])).rowCount === 1;
    },
    async finishTurn(name, at) {
      await query(finish, [name, await clock.toDatabase(at)]);
    },
  };
}

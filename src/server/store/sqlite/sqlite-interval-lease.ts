import type { DatabaseSync } from 'node:sqlite';
import { type Turns, turnTimes } from '../contract/leases.ts';
import type { Synchronous } from './thread-calls.ts';

export function createSqliteTurns(db: DatabaseSync): Synchronous<Turns> {
  const claim = db.prepare(`
    INSERT INTO chores VALUES (:name, :leased) ON CONFLICT DO UPDATE SET done_at = excluded.done_at
    WHERE done_at <= :due OR done_at > :far`);
  const finish = db.prepare(
    'INSERT INTO chores VALUES (?, ?) ON CONFLICT DO UPDATE SET done_at = excluded.done_at',
  );
  return {
    claimTurn(name, now, everyMs, leaseMs) {
      const { due, leased, far } = turnTimes(now, everyMs, leaseMs);
      const times = { due: due.toISOString(), leased: leased.toISOString(), far: far.toISOString() };
      return Number(claim.run({ name, ...times }).changes) === 1;
    },
    finishTurn: (name, now) => void finish.run(name, now.toISOString()),
  };
}

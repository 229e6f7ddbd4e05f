import type { DatabaseSync } from 'node:sqlite';
import { type ChoreBook, inHand, latestPlausible } from '../contract/leases.ts';
import type { Synchronous } from './thread-calls.ts';

/** Which of the chores are done, in SQLite. */
export function createSqliteChores(db: DatabaseSync): Synchronous<ChoreBook> {
  const begin = db.prepare('INSERT INTO chores VALUES (?, ?) ON CONFLICT DO NOTHING');
  const claim = db.prepare(`
    INSERT INTO chores SELECT :lease, :now
    WHERE EXISTS (SELECT 1 FROM chores WHERE name = :name AND (done_at < :due OR done_at > :far))
    ON CONFLICT DO UPDATE SET done_at = excluded.done_at WHERE done_at <= :free OR done_at > :far`);
  const finish = db.prepare('UPDATE chores SET done_at = ? WHERE name = ?');

  return {
    claimChore(name, due, now, leaseMs) {
      if (Number(begin.run(name, due.toISOString()).changes) === 1) return false;
      const given = {
        name,
        lease: inHand(name),
        due: due.toISOString(),
        now: now.toISOString(),
        free: new Date(now.getTime() - leaseMs).toISOString(),
        far: latestPlausible(now).toISOString(),
      };
      return Number(claim.run(given).changes) === 1;
    },
    finishChore: (name, due) => void finish.run(due.toISOString(), name),
  };
}

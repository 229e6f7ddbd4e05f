import type { DatabaseSync } from 'node:sqlite';
import type { CanaryStore } from '../contract/canary.ts';
import { latestPlausible } from '../contract/leases.ts';
import { toCanaryState } from '../rows/canary-row.ts';
import { selectSubmissions } from '../rows/selects.ts';
import { toStoredSubmission } from '../rows/submission-row.ts';
import type { Synchronous } from './thread-calls.ts';

/** Not in a file of an earlier version, which only the server brings up to date. */
export const knowsCanaries = (db: DatabaseSync): boolean =>
  db.prepare(`SELECT 1 FROM pragma_table_info('submissions') WHERE name = 'canary'`).get() !== undefined;

/** The part of the SQLite store that only the canary sees. */
export function createSqliteCanary(db: DatabaseSync): Synchronous<CanaryStore> {
  const claim = db.prepare(`
    UPDATE canary SET try_at = :until
    WHERE (tried_for IS NULL OR tried_for < :due OR tried_for > :far OR failures > 0)
      AND (try_at IS NULL OR try_at <= :now OR try_at > :far)
    RETURNING *`);
  const settle = db.prepare(`
    UPDATE canary SET tried_for = ?, try_at = ?, failures = ?, succeeded_at = ?, failed_at = ?, problem = ?`);
  const read = db.prepare('SELECT * FROM canary');
  const find = db.prepare(`${selectSubmissions} WHERE s.canary = 1 AND s.reference = ?`);
  const text = (at: Date | null) => at?.toISOString() ?? null;
  const erase = (where: string, ...values: string[]) =>
    Number(db.prepare(`DELETE FROM submissions WHERE canary = 1 AND ${where}`).run(...values).changes);

  return {
    claimCanary(now, due, leaseMs) {
      const row = claim.get({
        now: now.toISOString(),
        due: due.toISOString(),
        until: new Date(now.getTime() + leaseMs).toISOString(),
        far: latestPlausible(now).toISOString(),
      });
      return row ? toCanaryState(row) : null;
    },
    settleCanary: ({ triedFor, tryAt, failures, succeededAt, failedAt, problem }) =>
      void settle.run(text(triedFor), text(tryAt), failures, text(succeededAt), text(failedAt), problem),
    readCanary: () => toCanaryState(read.get() ?? {}),
    findCanary(reference) {
      const row = find.get(reference);
      return row ? toStoredSubmission(row).delivery : null;
    },
    eraseCanaries(which) {
      if (which === 'all') return erase('1 = 1');
      // One from the future was received by a clock that has been put right since.
      const far = latestPlausible(which.now);
      return erase('(received_at < ? OR received_at > ?)', which.before.toISOString(), far.toISOString());
    },
  };
}

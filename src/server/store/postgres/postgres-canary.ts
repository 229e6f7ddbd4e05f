import type { QueryResult } from 'pg';
import type { CanaryStore } from '../contract/canary.ts';
import { latestPlausible } from '../contract/leases.ts';
import { toCanaryState } from '../rows/canary-row.ts';
import { selectSubmissions } from '../rows/selects.ts';
import { toStoredSubmission } from '../rows/submission-row.ts';
import type { DatabaseClock } from './database-clock.ts';

type Query = (text: string, values: unknown[]) => Promise<QueryResult>;

const claim = `
  UPDATE canary SET try_at = $3
  WHERE (tried_for IS NULL OR tried_for < $2 OR tried_for > $4 OR failures > 0)
    AND (try_at IS NULL OR try_at <= $1 OR try_at > $4)
  RETURNING *`;
const settle = `
  UPDATE canary SET tried_for = $1, try_at = $2, failures = $3, succeeded_at = $4, failed_at = $5, problem = $6`;

/** The part of the PostgreSQL store that only the canary sees. Who has it in hand goes by the database's clock. */
export function createPostgresCanary(query: Query, clock: DatabaseClock): CanaryStore {
  const erase = async (where: string, values: unknown[]) =>
    (await query(`DELETE FROM submissions WHERE canary AND ${where}`, values)).rowCount ?? 0;

  return {
    async claimCanary(at, due, leaseMs) {
      const now = await clock.toDatabase(at);
      const until = new Date(now.getTime() + leaseMs);
      const { rows } = await query(claim, [now, due, until, latestPlausible(now)]);
      return rows[0] ? toCanaryState(rows[0]) : null;
    },
    async settleCanary({ triedFor, tryAt, failures, succeededAt, failedAt, problem }) {
      const again = tryAt && (await clock.toDatabase(tryAt));
      await query(settle, [triedFor, again, failures, succeededAt, failedAt, problem]);
    },
    readCanary: async () => toCanaryState((await query('SELECT * FROM canary', [])).rows[0]),
    async findCanary(reference) {
      const { rows } = await query(`${selectSubmissions} WHERE s.canary AND s.reference = $1`, [reference]);
      return rows[0] ? toStoredSubmission(rows[0]).delivery : null;
    },
    async eraseCanaries(which) {
      if (which === 'all') return erase('TRUE', []);
      // One from the future was received by a clock that has been put right since.
      return erase('(received_at < $1 OR received_at > $2)', [which.before, latestPlausible(which.now)]);
    },
  };
}

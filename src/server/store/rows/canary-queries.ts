import type { CanaryState, CanaryStore } from '../contract/canary-store.ts';
import { latestPlausible } from '../contract/leases.ts';
import { selectSubmissions } from './selects.ts';
import type { Row, Sql } from './sql.ts';
import { toDate, toStoredSubmission } from './submission-row.ts';

const claim = `
  UPDATE canary SET try_at = $3
  WHERE (tried_for IS NULL OR tried_for < $2 OR tried_for > $4 OR failures > 0)
    AND (try_at IS NULL OR try_at <= $1 OR try_at > $4)
  RETURNING *`;
const settle = `
  UPDATE canary SET tried_for = $1, try_at = $2, failures = $3, succeeded_at = $4, failed_at = $5, problem = $6`;

function toCanaryState(row: Row): CanaryState {
  return {
    triedFor: toDate(row.tried_for),
    tryAt: toDate(row.try_at),
    failures: Number(row.failures),
    succeededAt: toDate(row.succeeded_at),
    failedAt: toDate(row.failed_at),
    problem: row.problem as string | null,
  };
}

/** The part of the store that only the canary sees. */
export function createCanaryStore({ query, toDatabaseTime, dialect: { yes } }: Sql): CanaryStore {
  const erase = async (where: string, values: Date[]) =>
    (await query(`DELETE FROM submissions WHERE canary = ${yes} ${where}`, values)).rowCount ?? 0;

  return {
    async claimCanary(at, due, leaseMs) {
      const now = await toDatabaseTime(at);
      const until = new Date(now.getTime() + leaseMs);
      const [row] = (await query(claim, [now, due, until, latestPlausible(now)])).rows;
      return row ? toCanaryState(row) : null;
    },
    async settleCanary({ triedFor, tryAt, failures, succeededAt, failedAt, problem }) {
      const nextTryAt = tryAt && (await toDatabaseTime(tryAt));
      await query(settle, [triedFor, nextTryAt, failures, succeededAt, failedAt, problem]);
    },
    readCanary: async () => toCanaryState((await query('SELECT * FROM canary')).rows[0] ?? {}),
    async findCanary(reference) {
      const sql = `${selectSubmissions} WHERE s.canary = ${yes} AND s.reference = $1`;
      const [row] = (await query(sql, [reference])).rows;
      return row ? toStoredSubmission(row).delivery : null;
    },
    eraseCanaries: (which) =>
      which === 'all'
        ? erase('', [])
        : // A canary from the future was received by a clock that has been corrected since.
          erase('AND (received_at < $1 OR received_at > $2)', [which.before, latestPlausible(which.now)]),
  };
}

import type { CanaryStore } from '../contract/canary-store.ts';
import { latestPlausible } from '../contract/jobs.ts';
import { selectSubmissions } from './selects.ts';
import type { Sql } from './sql.ts';
import { toStoredSubmission } from './submission-row.ts';

/** The part of the store that only the canary sees. */
export function createCanaryStore({ query, dialect: { yes } }: Sql): CanaryStore {
  const erase = async (where: string, values: Date[]) =>
    (await query(`DELETE FROM submissions WHERE canary = ${yes} ${where}`, values)).rowCount ?? 0;

  return {
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

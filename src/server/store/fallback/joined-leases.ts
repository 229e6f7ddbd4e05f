import type { Leases } from '../contract/leases.ts';
import type { SharedDatabase } from './shared-database.ts';

/**
 * While the shared database is away each server leases jobs at intervals from its own fallback. A job that is due at a
 * moment waits until the servers share their leases again.
 */
export function joinLeases(shared: SharedDatabase, fallback: Leases): Leases {
  return {
    async claimLease(job, now) {
      if (!shared.isAway) return shared.use((store) => store.claimLease(job, now));
      return 'everyMs' in job && fallback.claimLease(job, now);
    },
    finishLease: (job, now) =>
      shared.isAway && 'everyMs' in job
        ? fallback.finishLease(job, now)
        : shared.use((store) => store.finishLease(job, now)),
  };
}

import { ignoreUnavailable, StoreUnavailable } from '../contract/errors.ts';
import type { Leases } from '../contract/leases.ts';
import type { Signs } from '../contract/signs.ts';
import type { SharedDatabase } from './shared-database.ts';

/**
 * While the shared database is away each server leases jobs at intervals from its own fallback. A job that is due at a
 * moment waits until the servers share their leases again. A sign may be in either database.
 */
export function joinLeases(shared: SharedDatabase, fallback: Leases & Signs): Leases & Signs {
  return {
    async claimLease(job, now) {
      if (!shared.isAway) return shared.use((store) => store.claimLease(job, now));
      return 'everyMs' in job && fallback.claimLease(job, now);
    },
    finishLease: (job, now) =>
      shared.isAway && 'everyMs' in job
        ? fallback.finishLease(job, now)
        : shared.use((store) => store.finishLease(job, now)),
    recordSign: (name, at) =>
      shared
        .use((store) => store.recordSign(name, at))
        .catch((error) => {
          if (!(error instanceof StoreUnavailable)) throw error;
          return fallback.recordSign(name, at);
        }),
    async findSign(name) {
      const own = await fallback.findSign(name).catch(ignoreUnavailable(null));
      const rest = await shared.use((store) => store.findSign(name));
      return own && rest && own > rest ? own : (rest ?? own);
    },
  };
}

import type { CanaryStore } from '../contract/canary-store.ts';
import { ignoreUnavailable } from '../contract/errors.ts';
import type { SharedDatabase } from './shared-database.ts';

/** A canary that was sent may be in either database. */
export function joinCanaries(shared: SharedDatabase, fallback: CanaryStore): CanaryStore {
  return {
    findCanary: async (reference) =>
      (await fallback.findCanary(reference).catch(ignoreUnavailable(null))) ??
      shared.use((store) => store.findCanary(reference)),
    async eraseCanaries(which) {
      const local = await fallback.eraseCanaries(which).catch(ignoreUnavailable(0));
      return local + (shared.isAway ? 0 : await shared.use((store) => store.eraseCanaries(which)));
    },
  };
}

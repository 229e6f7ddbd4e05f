import type { CanaryState, CanaryStore } from '../contract/canary-store.ts';
import { ignoreUnavailable } from '../contract/errors.ts';
import type { SharedDatabase } from './shared-database.ts';

const unknownState: CanaryState = {
  triedFor: null,
  tryAt: null,
  failures: 0,
  succeededAt: null,
  failedAt: null,
  problem: null,
};

/** All servers share one canary, so none begins while their database is away. A canary that was sent may be in either database. */
export function joinCanaries(shared: SharedDatabase, fallback: CanaryStore): CanaryStore {
  /** The last answer of the shared database, used while it is away. */
  let lastKnown = unknownState;

  return {
    claimCanary: async (now, due, leaseMs) =>
      shared.isAway ? null : shared.use((store) => store.claimCanary(now, due, leaseMs)),
    settleCanary: (state) => shared.use((store) => store.settleCanary(state)),
    async readCanary() {
      if (!shared.isAway) lastKnown = await shared.use((store) => store.readCanary());
      return lastKnown;
    },
    findCanary: async (reference) =>
      (await fallback.findCanary(reference).catch(ignoreUnavailable(null))) ??
      shared.use((store) => store.findCanary(reference)),
    async eraseCanaries(which) {
      const own = await fallback.eraseCanaries(which).catch(ignoreUnavailable(0));
      return own + (shared.isAway ? 0 : await shared.use((store) => store.eraseCanaries(which)));
    },
  };
}

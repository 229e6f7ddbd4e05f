import type { CanaryState, CanaryStore } from '../contract/canary.ts';
import { ignoreAway } from '../contract/errors.ts';
import type { Primary } from './shared-database.ts';

const unknown: CanaryState = {
  triedFor: null,
  tryAt: null,
  failures: 0,
  succeededAt: null,
  failedAt: null,
  problem: null,
};

/** All servers share one canary, so none begins while their database is away. One that is on its way may be in either. */
export function joinCanaries(primary: Primary, spare: CanaryStore): CanaryStore {
  /** While the database is away this is all that anyone knows. */
  let lastKnown = unknown;

  return {
    claimCanary: async (now, due, leaseMs) =>
      primary.isAway ? null : primary.use((store) => store.claimCanary(now, due, leaseMs)),
    settleCanary: (state) => primary.use((store) => store.settleCanary(state)),
    async readCanary() {
      if (!primary.isAway) lastKnown = await primary.use((store) => store.readCanary());
      return lastKnown;
    },
    findCanary: async (reference) =>
      (await spare.findCanary(reference).catch(ignoreAway(null))) ??
      primary.use((store) => store.findCanary(reference)),
    async eraseCanaries(which) {
      const own = await spare.eraseCanaries(which).catch(ignoreAway(0));
      return own + (primary.isAway ? 0 : await primary.use((store) => store.eraseCanaries(which)));
    },
  };
}

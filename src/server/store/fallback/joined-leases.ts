import type { ChoreBook, Turns } from '../contract/leases.ts';
import type { SharedDatabase } from './shared-database.ts';

/** While the shared database is away each server takes its own turns; what all servers do once has to wait. */
export function joinLeases(shared: SharedDatabase, fallback: Turns): Turns & ChoreBook {
  return {
    claimTurn: (...given) =>
      shared.isAway ? fallback.claimTurn(...given) : shared.use((store) => store.claimTurn(...given)),
    finishTurn: (...given) =>
      shared.isAway ? fallback.finishTurn(...given) : shared.use((store) => store.finishTurn(...given)),
    claimChore: async (...given) =>
      shared.isAway ? false : shared.use((store) => store.claimChore(...given)),
    finishChore: (...given) => shared.use((store) => store.finishChore(...given)),
  };
}

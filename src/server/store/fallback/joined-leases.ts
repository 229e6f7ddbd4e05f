import type { ChoreBook, Turns } from '../contract/leases.ts';
import type { Primary } from './shared-database.ts';

/** While the shared database is away each server takes its own turns; what all servers do once has to wait. */
export function joinLeases(primary: Primary, spare: Turns): Turns & ChoreBook {
  return {
    claimTurn: (...given) =>
      primary.isAway ? spare.claimTurn(...given) : primary.use((store) => store.claimTurn(...given)),
    finishTurn: (...given) =>
      primary.isAway ? spare.finishTurn(...given) : primary.use((store) => store.finishTurn(...given)),
    claimChore: async (...given) =>
      primary.isAway ? false : primary.use((store) => store.claimChore(...given)),
    finishChore: (...given) => primary.use((store) => store.finishChore(...given)),
  };
}

import type { Primary } from '../fallback/shared-database.ts';
import { farthestAhead } from './delivery-queue.ts';

/** What one of several servers does for all of them, every so often. */
export interface Turns {
  /**
   * True for one asker only, however many servers ask, where the last turn of that name was done `everyMs` ago. Whoever
   * has not finished it after `leaseMs` has lost it to the next.
   */
  claimTurn(name: string, now: Date, everyMs: number, leaseMs: number): Promise<boolean>;
  finishTurn(name: string, now: Date): Promise<void>;
}

/** What is written for a turn that is claimed: as if it had been done so long ago that it is due when the lease ends. */
export function turnTimes(now: Date, everyMs: number, leaseMs: number) {
  const dueMs = now.getTime() - everyMs;
  return { due: new Date(dueMs), leased: new Date(dueMs + leaseMs), far: farthestAhead(now) };
}

/** While the database is away each server takes its own turns. */
export function joinTurns(primary: Primary, spare: Turns): Turns {
  return {
    claimTurn: (...given) =>
      primary.isAway ? spare.claimTurn(...given) : primary.use((store) => store.claimTurn(...given)),
    finishTurn: (...given) =>
      primary.isAway ? spare.finishTurn(...given) : primary.use((store) => store.finishTurn(...given)),
  };
}

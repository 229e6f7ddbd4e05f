import { join } from 'node:path';
import { createRetention } from '../../src/server/erasure/retention.ts';
import type { Store } from '../../src/server/store/contract/store.ts';
import { createClockCheck } from '../../src/server/time/clock-trust.ts';
import { createClock } from './stored-submissions.ts';
import { temporaryFolder } from './temporary.ts';

const trusting = { checkClock: () => null, findJump: () => null };
const day = 24 * 3_600_000;

/** Erases by age, as a server does whose clock is right. */
export const createEraser = (
  archive: Store,
  dataDir: string,
  now: () => Date,
  changes: Partial<Parameters<typeof createRetention>[0]> = {},
) =>
  createRetention({
    ...{ archive, dataDir, mailFolder: join(dataDir, 'mail'), now },
    ...{ retentionDays: 30, unseenRetentionDays: null, checkClock: () => null, ...changes },
  });

/** A machine whose clock can be set, and the retention of a server that starts on it. */
export function createMachine(store: Store, dataDir = temporaryFolder()) {
  const clock = createClock();
  let running = 0;
  const parts = { archive: store, dataDir, mailFolder: join(dataDir, 'mail'), now: clock.now };
  const limits = { retentionDays: 30, unseenRetentionDays: 90 as number | null };
  const pass = (ms: number) => {
    clock.advance(ms);
    running += ms;
  };
  return {
    now: clock.now,
    dataDir,
    set: (days: number) => clock.advance(days * day),
    pass,
    startServer: (changes: Partial<typeof limits> = {}) =>
      createRetention({ ...parts, ...limits, ...changes, ...createClockCheck(clock.now, () => running) }),
    /** As `awhina purge --trust-clock` does. */
    purge: createRetention({ ...parts, ...limits, ...trusting, by: 'command' }),
    /** With settings of its own. */
    purgeWith: (changes: Partial<typeof limits>) =>
      createRetention({ ...parts, ...limits, ...changes, ...trusting, by: 'command' })(),
    /** Erases every day, as the server does every hour. */
    async passDays(days: number, eraseExpired: ReturnType<typeof createRetention>): Promise<void> {
      for (let passed = 0; passed < days; passed++) {
        pass(day);
        await eraseExpired();
      }
    },
  };
}

import { existsSync } from 'node:fs';
import { describeClockFault, judgeClock, knownTime } from '../server/delivery/clock-trust.ts';
import { BadSettings, type Settings } from '../server/settings.ts';
import { findSpaceProblem } from '../server/submissions/free-space.ts';
import { databasePath } from '../server/submissions/sqlite/database.ts';
import { CommandFailed } from './command.ts';
import { withStore } from './open-store.ts';

/** What is not right where the requests are kept, each in a sentence. Nothing where none were kept yet. */
export async function findDatabaseWarnings({ dataDir, databaseUrl }: Settings, now: Date): Promise<string[]> {
  const space = await findSpaceProblem(dataDir);
  const clock = databaseUrl || existsSync(databasePath(dataDir)) ? await lookAtClock(now) : null;
  return [space, clock].filter((problem) => problem !== null).map((problem) => `${capital(problem)}.`);
}

async function lookAtClock(now: Date): Promise<string | null> {
  try {
    const fault = await withStore(async (store) => judgeClock(now, knownTime(await store.findTimes())));
    return fault && describeClockFault(fault);
  } catch (error) {
    if (error instanceof CommandFailed || error instanceof BadSettings)
      return error.message.replace(/\.$/, '');
    throw error;
  }
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

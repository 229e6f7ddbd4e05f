import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { asSentence } from '../../model/sentence.ts';
import { findSpaceProblem } from '../../server/files/free-space.ts';
import { BadSettings, type Settings } from '../../server/settings/settings.ts';
import { databasePath } from '../../server/store/sqlite/database-file.ts';
import { countUndelivered } from '../../server/store/transfer/database-copy.ts';
import {
  describeClockFault,
  findJumpFrom,
  findRightTime,
  judgeClock,
} from '../../server/time/clock-trust.ts';
import { CommandFailed } from '../command.ts';
import { withStore } from '../with-store.ts';

/** Problems of the database and its disk, one sentence each. None before the first start. */
export async function findDatabaseWarnings({ dataDir, databaseUrl }: Settings, now: Date): Promise<string[]> {
  const space = await findSpaceProblem(dataDir);
  const clock = databaseUrl || existsSync(databasePath(dataDir)) ? await findClockProblem(now) : null;
  const forgotten = findForgotten(dataDir);
  return [space, clock, forgotten].filter((problem) => problem !== null).map(asSentence);
}

/** Undelivered requests in ./data, the default folder, while DATA_DIR is another one. */
function findForgotten(dataDir: string): string | null {
  const folder = resolve('data');
  const path = databasePath(folder);
  if (folder === dataDir || !existsSync(path)) return null;
  const count = countUndelivered(path);
  if (count === 0) return null;
  const requests = count === null ? 'requests' : count === 1 ? '1 request' : `${count} requests`;
  return `${path} may hold ${requests} that no mail server has accepted, and DATA_DIR is another folder. To take them over: awhina salvage ${path}`;
}

async function findClockProblem(now: Date): Promise<string | null> {
  try {
    const times = await withStore((store) => store.findTimes());
    const fault =
      judgeClock(now, findRightTime(times)) ?? (findJumpFrom(now, [times.jumpedFrom]) && 'jumped');
    return fault && describeClockFault(fault);
  } catch (error) {
    if (error instanceof CommandFailed || error instanceof BadSettings) return error.message;
    throw error;
  }
}

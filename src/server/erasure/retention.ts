import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { eraseMailFiles, eraseReadMail, findUnread } from '../delivery/folder/mail-folder.ts';
import type { Archive } from '../store/contract/archive.ts';
import { asidePattern } from '../store/sqlite/database-file.ts';
import { restoringPath } from '../store/transfer/unfinished-restore.ts';
import type { CheckClock, ClockFault } from '../time/clock-trust.ts';
import { type ErasingStore, finishErasures } from './erase-request.ts';

interface RetentionParts {
  archive: Archive & ErasingStore;
  /** The folder of mails, which may hold files from before SMTP_URL was set. */
  mailFolder: string;
  /** Damaged databases that were set aside here are erased after the same time. */
  dataDir: string;
  retentionDays: number;
  now: () => Date;
  /** Why the clock must not be trusted for erasing; null where it may be. */
  checkClock: CheckClock;
  /** False in `awhina purge` while PostgreSQL is away: an erasure would seem finished although PostgreSQL has the request. */
  isComplete?: boolean;
}

export interface Erased {
  count: number;
  /** False where the database's files still hold what was erased; the next run removes it. */
  scrubbed: boolean;
  /** Why nothing was erased: by a wrong clock new requests would seem old. */
  clockFault: ClockFault | null;
}

/** Requests erased at a time: few enough that no visitor's submission waits for the erasing. */
const batchSize = 100;

/** Requests delivered up to this time have expired. */
export function expiryCutoff(now: Date, retentionDays: number): Date {
  return new Date(now.getTime() - retentionDays * 24 * 60 * 60_000);
}

/**
 * Erases requests that were delivered more than RETENTION_DAYS ago. A request that was not delivered stays, however old:
 * there is no other copy. So does a request whose mail is an unread file.
 */
export function createRetention({
  archive,
  mailFolder,
  dataDir,
  retentionDays,
  now,
  checkClock,
  isComplete = true,
}: RetentionParts) {
  /** Whether the database's files may hold something that was erased. Unknown at the start, so true. */
  let needsScrub = true;

  return async function eraseExpired(): Promise<Erased> {
    // A person asked for these erasures: the clock does not matter.
    if (isComplete) await finishErasures(archive, dataDir);
    // While a restore runs, no server can have the database open. So where its folder is here, the restore was killed.
    // Files of root in the folder are for root to erase: the start names them (foreign-files.ts).
    await rm(restoringPath(dataDir), { recursive: true, force: true }).catch(() => {});
    const wrongClock = checkClock(await archive.findTimes());
    if (wrongClock !== null) {
      await archive.recordClockFault(wrongClock.since);
      return { count: 0, scrubbed: true, clockFault: wrongClock.fault };
    }
    const cutoff = expiryCutoff(now(), retentionDays);
    const unread = (await findUnread(mailFolder)).flatMap(({ references }) => references);
    let count = 0;
    for (;;) {
      const references = await archive.listDelivered(cutoff, batchSize, unread);
      if (references.length === 0) break;
      needsScrub = true;
      // Files first: after a crash in between, the rows make the next run find the files again.
      await eraseMailFiles(mailFolder, references);
      await archive.eraseSubmissions(references);
      count += references.length;
      await setImmediate();
    }
    await eraseReadMail(mailFolder, cutoff);
    await eraseAside(dataDir, cutoff);
    if (needsScrub) needsScrub = !(await archive.scrub());
    await archive.recordErasing(now());
    return { count, scrubbed: !needsScrub, clockFault: null };
  };
}

async function eraseAside(dataDir: string, cutoff: Date): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    if (!asidePattern.test(name)) continue;
    const path = join(dataDir, name);
    // A file that has gone meanwhile must not end the erasing of the others.
    const found = await stat(path).catch(() => null);
    if (found && found.mtime < cutoff) await rm(path, { force: true });
  }
}

import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Archive } from '../../store/contract/archive.ts';
import { asidePattern } from '../../store/sqlite/database-file.ts';
import { restoringPath } from '../../store/transfer/unfinished-restore.ts';
import type { ClockFault, ClockTrust } from '../../time/clock-trust.ts';
import { eraseMailFiles, eraseReadMail, findUnread } from '../folder/mail-folder.ts';
import { type ErasingStore, finishErasures } from './erase-request.ts';

export interface RetentionParts {
  archive: Archive & ErasingStore;
  /** Where mails were written to, now or before an SMTP server was set. */
  mailFolder: string;
  /** Where the database is: what had to be set aside there is not kept for longer than the rest. */
  dataDir: string;
  retentionDays: number;
  now: () => Date;
  /** Whether to erase by that clock: null, or what speaks against it. */
  doubtClock: ClockTrust['doubt'];
}

export interface Erased {
  count: number;
  /** False where the database's files still hold what was erased; the next run takes it out. */
  scrubbed: boolean;
  /** Why nothing was erased: the clock may be wrong, and what it takes for old may be new. */
  doubt: ClockFault | null;
}

/** Requests at a time: few enough that a visitor's submission never waits for it. */
const batch = 100;

export function expiry(now: Date, retentionDays: number): Date {
  return new Date(now.getTime() - retentionDays * 24 * 60 * 60_000);
}

/**
 * Erases what was delivered longer ago than the trust keeps it. What was not delivered stays, however old: it is the
 * only copy there is. So does what only lies in the folder of mails, until somebody says that it was read.
 */
export function createRetention({
  archive,
  mailFolder,
  dataDir,
  retentionDays,
  now,
  doubtClock,
}: RetentionParts) {
  /** Whether the database's files may hold something that was erased: at the start nobody knows. */
  let traces = true;

  return async function eraseExpired(): Promise<Erased> {
    // Asked for by a person, whatever the clock says.
    await finishErasures(archive, dataDir);
    // A restore that runs keeps everybody else from having the database open: this one was killed.
    // Root's files in it are root's to erase: the start names them (foreign-files.ts), and nothing else waits for it.
    await rm(restoringPath(dataDir), { recursive: true, force: true }).catch(() => {});
    const doubt = doubtClock(await archive.findTimes());
    if (doubt !== null) {
      await archive.recordDoubt(doubt.since);
      return { count: 0, scrubbed: true, doubt: doubt.fault };
    }
    const until = expiry(now(), retentionDays);
    const unread = (await findUnread(mailFolder)).flatMap(({ references }) => references);
    let count = 0;
    for (;;) {
      const references = await archive.listDelivered(until, batch, unread);
      if (references.length === 0) break;
      traces = true;
      // Files first: a crash in between leaves the row, and so the next run finds them again.
      await eraseMailFiles(mailFolder, references);
      await archive.eraseSubmissions(references);
      count += references.length;
      await setImmediate();
    }
    await eraseReadMail(mailFolder, until);
    await eraseAside(dataDir, until);
    if (traces) traces = !(await archive.scrub());
    await archive.recordErasing(now());
    return { count, scrubbed: !traces, doubt };
  };
}

async function eraseAside(dataDir: string, until: Date): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const path = join(dataDir, name);
    if (asidePattern.test(name) && (await stat(path)).mtime < until) await rm(path, { force: true });
  }
}

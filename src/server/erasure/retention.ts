import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { eraseMailFiles, eraseReadMail, findReadMail, findUnread } from '../delivery/folder/mail-folder.ts';
import type { Archive, Expiry, StoredTimes } from '../store/contract/archive.ts';
import { withdrawnDays } from '../store/contract/changes.ts';
import type { FollowUps } from '../store/contract/follow-ups.ts';
import { asidePattern } from '../store/sqlite/database-file.ts';
import { restoringPath } from '../store/transfer/unfinished-restore.ts';
import { type ClockCheck, type ClockFault, findJumpFrom } from '../time/clock-trust.ts';
import { type ErasingStore, finishErasures } from './erase-request.ts';

interface RetentionParts {
  archive: Archive & ErasingStore & Pick<FollowUps, 'recordRead'>;
  /** The folder of mails, which may hold files from before SMTP_URL was set. */
  mailFolder: string;
  /** Damaged databases that were set aside here are erased after the same time. */
  dataDir: string;
  retentionDays: number;
  /** Null: the trust follows requests elsewhere (REMINDERS=off). */
  unseenRetentionDays: number | null;
  now: () => Date;
  checkClock: ClockCheck['checkClock'];
  findJump?: ClockCheck['findJump'];
  /** False in `awhina purge` while PostgreSQL is away: an erasure would seem finished although PostgreSQL has the request. */
  isComplete?: boolean;
  by?: State['by'];
}

export interface Erased {
  count: number;
  /** How many of these nobody had seen. */
  unseen: number;
  /** False where the database's files still hold what was erased; the next run removes it. */
  scrubbed: boolean;
  /** Why nothing was erased, or where it jumped nothing unseen: by a wrong clock new requests would seem old. */
  clockFault: ClockFault | null;
  /** By which rules. */
  expiries: Expiry[];
  /** False in the two weeks of warnings, before which nothing is erased that nobody has seen. */
  isWarned: boolean;
}

/** What is over the limit when it begins, as after an upgrade, stays until staff were warned of it for this long. */
const warningDays = 14;
const dayMs = 24 * 60 * 60_000;
/** Requests erased at a time: few enough that no visitor's submission waits for the erasing. */
const batchSize = 100;

type Days = Pick<RetentionParts, 'retentionDays' | 'unseenRetentionDays'>;

/** Null where a request stays until somebody has seen it. */
export const describeOldRule = ({ retentionDays, unseenRetentionDays }: Days): string | null =>
  unseenRetentionDays === null
    ? `REMINDERS is off: a request is erased ${retentionDays} days after a mail server accepted it, whether or not anybody has seen it.`
    : null;

/** 'It may have been erased …' */
export const describeWhenErased = ({ retentionDays, unseenRetentionDays }: Days): string =>
  unseenRetentionDays === null
    ? `${retentionDays} days after a mail server accepted it, or ${withdrawnDays} days after it was withdrawn`
    : `${retentionDays} days after somebody last saw it, ${unseenRetentionDays} days after it came in if nobody did, or ${withdrawnDays} days after it was withdrawn`;

/**
 * What expires: what somebody saw RETENTION_DAYS ago, and what came in UNSEEN_RETENTION_DAYS ago and nobody has seen.
 * Without follow-ups (null) also what a mail server accepted RETENTION_DAYS ago. What was withdrawn does so after a week.
 */
function findRules(now: Date, { retentionDays, unseenRetentionDays }: Days) {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const until = ago(retentionDays);
  const untouchedSince = ago(Math.max(retentionDays, warningDays));
  const aWeekAgo = ago(withdrawnDays);
  const seen: Expiry = { rule: 'seen', until, untouchedSince: until };
  const withdrawn: Expiry = { rule: 'withdrawn', until: aWeekAgo, untouchedSince: aWeekAgo };
  const unseen: Expiry =
    unseenRetentionDays === null
      ? { rule: 'delivered', until, untouchedSince }
      : { rule: 'unseen', until: ago(unseenRetentionDays), untouchedSince };
  return { seen, unseen, withdrawn };
}

interface State extends Days {
  times: StoredTimes;
  jumpedFrom: Date | null;
  isComplete: boolean;
  by: 'server' | 'command' | 'dry run';
}

/** Since when staff are warned. The server alone begins it: a command may have other settings. */
async function findLimit(archive: Archive, now: Date, { times, by, unseenRetentionDays }: State) {
  const isAgain = wasUnwatched(times, now);
  if (by === 'server') return archive.startUnseenLimit(unseenRetentionDays, now, isAgain);
  const since = await archive.findUnseenLimit(unseenRetentionDays);
  if (since && !isAgain) return since;
  if (since && by === 'command') await archive.startUnseenLimit(unseenRetentionDays, now, isAgain);
  return now;
}

/**
 * What may be erased now, and until when everything has expired. What nobody may have seen waits while the clock is in
 * doubt, and for the first two weeks of its limit: also after a time in which no server was there to warn anybody.
 */
export async function findExpired(archive: Archive, now: Date, state: State) {
  const { jumpedFrom, isComplete } = state;
  const { seen, unseen, withdrawn } = findRules(now, state);
  const since = await findLimit(archive, now, state);
  const isWarned = now.getTime() - since.getTime() >= warningDays * dayMs;
  // While PostgreSQL is away the fallback's requests may be there too, and would be counted twice.
  const mayEraseUnseen = isWarned && !jumpedFrom && (isComplete || unseen.rule === 'delivered');
  // Before what is counted as a loss. By a clock that jumped nobody has had a week.
  const mayEraseWithdrawn = !jumpedFrom && isComplete;
  const expiries = [seen, ...(mayEraseWithdrawn ? [withdrawn] : []), ...(mayEraseUnseen ? [unseen] : [])];
  return { seen, unseen, expiries, isWarned };
}

/** Whether no server may have warned anybody for a week, as the machine was off or the clock in doubt. */
const wasUnwatched = ({ jumpedFrom, lastErasedAt }: StoredTimes, now: Date) =>
  jumpedFrom !== null || findJumpFrom(now, [lastErasedAt]) !== null;

/**
 * Erases what has expired. Where there is no mail server, a file in the folder of read mail says that somebody has seen its
 * requests; a file that is gone says nothing.
 */
export function createRetention({
  archive,
  mailFolder,
  dataDir,
  now,
  checkClock,
  findJump = () => null,
  isComplete = true,
  by = 'server',
  ...days
}: RetentionParts) {
  /** Whether the database's files may hold something that was erased. Unknown at the start, so true. */
  let needsScrub = true;

  /** Resolves to how many were erased. */
  async function eraseBatch(rule: Expiry['rule'], references: readonly string[]): Promise<number> {
    needsScrub = true;
    // Files first: after a crash in between, the rows make the next run find the files again.
    await eraseMailFiles(mailFolder, references);
    if (rule === 'unseen') return archive.eraseUnseen(references, now());
    return archive.eraseSubmissions(references, rule);
  }

  async function eraseAll(expiry: Expiry, unread: readonly string[]): Promise<number> {
    const except = expiry.rule === 'delivered' ? unread : [];
    for (let count = 0; ; ) {
      const references = await archive.listExpired(expiry, batchSize, except);
      const erased = references.length > 0 ? await eraseBatch(expiry.rule, references) : 0;
      // What is left is being mailed, or somebody has just seen it.
      if (erased === 0) return count;
      count += erased;
      await setImmediate();
    }
  }

  return async function eraseExpired(): Promise<Erased> {
    // A person asked for these erasures: the clock does not matter.
    if (isComplete) await finishErasures(archive, dataDir);
    // While a restore runs, no server can have the database open. So where its folder is here, the restore was killed.
    // Files of root in the folder are for root to erase: the start names them (foreign-files.ts).
    await rm(restoringPath(dataDir), { recursive: true, force: true }).catch(() => {});
    const times = await archive.findTimes();
    const wrongClock = checkClock(times);
    if (wrongClock !== null) {
      await archive.recordClockFault(wrongClock.since);
      return {
        ...{ count: 0, unseen: 0, scrubbed: true, clockFault: wrongClock.fault },
        ...{ expiries: [], isWarned: false },
      };
    }
    const jumpedFrom = findJump(times);
    const references = async (find: typeof findUnread) =>
      (await find(mailFolder)).flatMap((mail) => mail.references);
    await archive.recordRead(await references(findReadMail), now());
    const unread = await references(findUnread);
    await archive.reopenUnread(unread);
    const state = { ...days, times, jumpedFrom, isComplete, by };
    const { expiries, isWarned, ...until } = await findExpired(archive, now(), state);
    let count = 0;
    let unseen = 0;
    for (const expiry of expiries) {
      const erased = await eraseAll(expiry, unread);
      count += erased;
      if (expiry.rule === 'unseen') unseen += erased;
    }
    await eraseReadMail(mailFolder, until.seen.until);
    // A damaged database may have the only copy of a request.
    if (!jumpedFrom) await eraseAside(dataDir, { before: until.seen.until, aside: until.unseen.until });
    if (needsScrub) needsScrub = !(await archive.scrub());
    // The clock was ahead, and was corrected. By a clock that is behind the later times are the right ones.
    const { clockRightAt, lastErasedAt } = times;
    const wasAhead =
      clockRightAt !== null && clockRightAt <= now() && (!lastErasedAt || lastErasedAt <= now());
    if ((times.jumpedFrom || wasAhead) && !jumpedFrom) await archive.mendTimes(now());
    await archive.recordErasing(now(), jumpedFrom);
    return { count, unseen, scrubbed: !needsScrub, clockFault: jumpedFrom && 'jumped', expiries, isWarned };
  };
}

async function eraseAside(dataDir: string, cutoffs: Record<string, Date>): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const cutoff = cutoffs[asidePattern.exec(name)?.[1] ?? ''];
    if (!cutoff) continue;
    const path = join(dataDir, name);
    // A file that has gone meanwhile must not end the erasing of the others.
    const found = await stat(path).catch(() => null);
    if (found && found.mtime < cutoff) await rm(path, { force: true });
  }
}

import type { StoredTimes } from '../store/contract/archive.ts';

/** Erasing runs every hour. A clock this far past the last run has jumped, or the server was off. */
const gapMs = 7 * 24 * 60 * 60_000;
/** How much the clocks of several servers may differ. */
const toleranceMs = 10 * 60_000;
/** A clock that has jumped is trusted after a day in which nobody has corrected it. */
const waitMs = 24 * 60 * 60_000;
/** Beyond this the clock is never trusted by itself: every request would be erased. */
const tooFarMs = 400 * 24 * 60 * 60_000;

export type ClockFault = 'ahead' | 'far ahead' | 'behind';

const descriptions: Record<ClockFault, string> = {
  ahead: 'the clock has jumped ahead of all that is stored, so nothing is erased for a day',
  'far ahead':
    'the clock is more than a year ahead of all that is stored, so nothing is erased until somebody runs: ./awhina purge --trust-clock',
  behind: 'the clock is behind what is stored, so nothing is erased for a day',
};

export const describeClockFault = (fault: ClockFault): string => descriptions[fault];

/**
 * The last time that was right, as far as the database knows: the one recorded when the clock was found wrong, otherwise
 * that of the last erasing. The newest request is the last resort: a wrong clock writes its own time into requests.
 */
export const findRightTime = ({ clockRightAt, lastErasedAt, newestReceivedAt }: StoredTimes): Date | null =>
  clockRightAt ?? lastErasedAt ?? newestReceivedAt;

/** What is wrong with a clock that shows `now`. Null where nothing is, or where no right time is known. */
export function judgeClock(now: Date, known: Date | null): ClockFault | null {
  if (known === null) return null;
  const ahead = now.getTime() - known.getTime();
  if (ahead < -toleranceMs) return 'behind';
  if (ahead > tooFarMs) return 'far ahead';
  return ahead > gapMs ? 'ahead' : null;
}

export interface WrongClock {
  fault: ClockFault;
  /** The last time that was right. */
  since: Date;
}

/** Null where the clock may be trusted for erasing. */
export type CheckClock = (times: StoredTimes) => WrongClock | null;

/**
 * A clock that cannot be right is trusted only after it has run on for a day: long enough for a machine to find the
 * right time, or for somebody to notice. Times that are stored meanwhile prove nothing, so from the first check on the
 * right time is carried forward by the monotonic clock, which nobody can set.
 */
export function createClockCheck(now: () => Date, monotonic = () => performance.now()): CheckClock {
  /** A time that had certainly passed when the monotonic clock showed `at`. */
  let anchor: { known: Date | null; at: number } | null = null;
  let wrong: { since: Date; at: number } | null = null;

  return function checkClock(times) {
    const at = monotonic();
    anchor ??= { known: findRightTime(times), at };
    const known = anchor.known && new Date(anchor.known.getTime() + at - anchor.at);
    const fault = judgeClock(now(), known);
    if (known && fault) {
      wrong ??= { since: known, at };
      if (fault === 'far ahead' || at - wrong.at < waitMs) return { fault, since: wrong.since };
    }
    anchor = { known: now(), at };
    wrong = null;
    return null;
  };
}

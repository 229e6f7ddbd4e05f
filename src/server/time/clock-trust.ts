import type { StoredTimes } from '../store/contract/archive.ts';

/** Erasing runs every hour. A clock this far past the last run has jumped, or the server was off. */
const gapMs = 7 * 24 * 60 * 60_000;
/** How much the clocks of several servers may differ. */
export const toleranceMs = 10 * 60_000;
/** A clock that has jumped is trusted after a day in which nobody has corrected it. */
const waitMs = 24 * 60 * 60_000;
/** Beyond this the clock is never trusted by itself: every request would be erased. */
const tooFarMs = 400 * 24 * 60 * 60_000;

/** 'jumped': ahead for more than a day, and nobody has corrected it or said that it is right. */
export type ClockFault = 'ahead' | 'far ahead' | 'behind' | 'jumped';

const descriptions: Record<ClockFault, string> = {
  ahead: 'the clock has jumped ahead of all that is stored, so nothing is erased for a day',
  'far ahead':
    'the clock is more than a year ahead of all that is stored, so nothing is erased until somebody runs: ./awhina purge --trust-clock',
  jumped:
    'the clock has jumped, so nothing that nobody has seen is erased until somebody runs: ./awhina purge --trust-clock',
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

/** The first of these times that the clock is ahead of by so much that it must have jumped. */
export const findJumpFrom = (now: Date, known: readonly (Date | null)[]): Date | null =>
  known.find((one) => judgeClock(now, one)?.includes('ahead')) ?? null;

export interface WrongClock {
  fault: ClockFault;
  /** The last time that was right. */
  since: Date;
}

/** Null where the clock may be trusted for all but erasing what nobody has seen. */
export type CheckClock = (times: StoredTimes) => WrongClock | null;

export interface ClockCheck {
  checkClock: CheckClock;
  /**
   * The last time that was right, where the clock is trusted only because nobody has corrected it for a day. Null where it
   * did not jump, was corrected, or somebody has said that it is right.
   */
  findJump: (times: StoredTimes) => Date | null;
}

/**
 * A clock that cannot be right is trusted only after it has run on for a day: long enough for a machine to find the
 * right time, or for somebody to notice. Times that are stored meanwhile prove nothing, so from the first check on the
 * right time is carried forward by the monotonic clock, which nobody can set.
 */
export function createClockCheck(now: () => Date, monotonic = () => performance.now()): ClockCheck {
  /** A time that had certainly passed when the monotonic clock showed `at`. */
  let anchor: { known: Date | null; at: number } | null = null;
  let wrong: { since: Date; at: number } | null = null;
  let hasWaited = false;

  const checkClock: CheckClock = (times) => {
    const at = monotonic();
    anchor ??= { known: findRightTime(times), at };
    const known = anchor.known && new Date(anchor.known.getTime() + at - anchor.at);
    const fault = judgeClock(now(), known);
    if (known && fault) {
      wrong ??= { since: known, at };
      if (fault === 'far ahead' || at - wrong.at < waitMs) return { fault, since: wrong.since };
      hasWaited = true;
    }
    anchor = { known: now(), at };
    wrong = null;
    return null;
  };

  return {
    checkClock,
    findJump: ({ jumpedFrom, clockRightAt, lastErasedAt }) =>
      // What is stored tells of the jump until somebody trusts the clock, also where another server ended the doubt.
      findJumpFrom(now(), [jumpedFrom, ...(hasWaited ? [clockRightAt, lastErasedAt] : [])]),
  };
}

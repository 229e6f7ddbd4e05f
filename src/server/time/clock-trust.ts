import type { StoredTimes } from '../store/contract/archive.ts';

/** Erasing is done every hour; a clock this far past the last time has jumped, or nobody was here. */
const gapMs = 7 * 24 * 60 * 60_000;
/** What the clocks of several servers may differ by, and what setting one right may take. */
const looseMs = 10 * 60_000;
/** A clock that has jumped is believed after a day that nobody set it right in. */
const waitMs = 24 * 60 * 60_000;
/** Further than this it is never believed by itself: everything there is would be erased. */
const tooFarMs = 400 * 24 * 60 * 60_000;

export type ClockFault = 'ahead' | 'far ahead' | 'behind';

const words: Record<ClockFault, string> = {
  ahead: 'the clock has jumped ahead of all that is stored, so nothing is erased for a day',
  'far ahead':
    'the clock is more than a year ahead of all that is stored, so nothing is erased until somebody runs: ./awhina purge --trust-clock',
  behind: 'the clock is behind what is stored, so nothing is erased for a day',
};

export const describeClockFault = (fault: ClockFault): string => words[fault];

/**
 * A time that was right, as far as the database knows: that of a doubt which still stands, or of the last erasing. Only
 * where there was none yet, of the newest request: a clock that is wrong writes its own time into those.
 */
export const knownTime = ({ doubted, erased, newest }: StoredTimes): Date | null =>
  doubted ?? erased ?? newest;

/** What is wrong with a clock, by a time that was right. Null where it may be right, or nobody can know. */
export function judgeClock(now: Date, known: Date | null): ClockFault | null {
  if (known === null) return null;
  const ahead = now.getTime() - known.getTime();
  if (ahead < -looseMs) return 'behind';
  if (ahead > tooFarMs) return 'far ahead';
  return ahead > gapMs ? 'ahead' : null;
}

/** What speaks against erasing by the clock, and the time that was right when the doubt began. */
export interface Doubt {
  fault: ClockFault;
  since: Date;
}

export interface ClockTrust {
  /** Whether to erase by this clock now: null, or what speaks against it. */
  doubt(times: StoredTimes): Doubt | null;
}

/**
 * A clock that cannot be right is believed only after it has run on for a day: longer than a machine needs to find the
 * right time, or somebody to see that it has not. What is written meanwhile proves nothing, so from the first look on the
 * time is carried forward by a clock that cannot be set.
 */
export function createClockTrust(now: () => Date, monotonic = () => performance.now()): ClockTrust {
  /** A time that was right, and when that was. */
  let anchor: { known: Date | null; at: number } | null = null;
  let doubted: { since: Date; at: number } | null = null;

  return {
    doubt(times) {
      const at = monotonic();
      anchor ??= { known: knownTime(times), at };
      const known = anchor.known && new Date(anchor.known.getTime() + at - anchor.at);
      const fault = judgeClock(now(), known);
      if (known && fault) {
        doubted ??= { since: known, at };
        if (fault === 'far ahead' || at - doubted.at < waitMs) return { fault, since: doubted.since };
      }
      anchor = { known: now(), at };
      doubted = null;
      return null;
    },
  };
}

import type { StoredTimes } from '../submissions/archive.ts';

/** Erasing is done every hour, and requests come in between; a clock this far past both of them has jumped, or nobody was here. */
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
    'the clock is more than a year ahead of all that is stored, so nothing is erased until somebody runs: npx awhina purge --trust-clock',
  behind: 'the clock is behind what is stored, so nothing is erased for a day',
};

export const describeClockFault = (fault: ClockFault): string => words[fault];

/** What is wrong with a clock, by the times in the database. Null where it may be right, or nobody can know. */
export function judgeClock(now: Date, { newest, erased }: StoredTimes): ClockFault | null {
  const latest = Math.max(newest?.getTime() ?? 0, erased?.getTime() ?? 0);
  if (latest === 0) return null;
  const ahead = now.getTime() - latest;
  if (ahead < -looseMs) return 'behind';
  if (ahead > tooFarMs) return 'far ahead';
  return ahead > gapMs ? 'ahead' : null;
}

export interface ClockTrust {
  /** Whether to erase by this clock now: null, or what speaks against it. */
  doubt(times: StoredTimes): ClockFault | null;
}

/**
 * A clock that cannot be right is believed only after it has run on for a day: longer than a machine needs to find the
 * right time, or somebody to see that it has not.
 */
export function createClockTrust(now: () => Date, monotonic = () => performance.now()): ClockTrust {
  let doubtedSince: number | null = null;

  return {
    doubt(times) {
      const fault = judgeClock(now(), times);
      if (fault === null) doubtedSince = null;
      if (fault === null || fault === 'far ahead') return fault;
      doubtedSince ??= monotonic();
      if (monotonic() - doubtedSince < waitMs) return fault;
      doubtedSince = null;
      return null;
    },
  };
}

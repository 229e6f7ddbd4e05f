import { type BotVerdict, isTrapped } from '../../model/bot-verdict.ts';

/** When the mail of a submission is sent, and after which others. */

/** How often held mail is sent, together in one digest. */
const digestEveryMs = 10 * 60_000;
/**
 * Added to the rank of a submission that is flagged as one of many, so that it is delivered after all others. No client
 * has as many unflagged ones in an hour.
 */
const flaggedRankOffset = 1_000;

/** A submission beyond the quota is flagged, not refused: a whole refuge or town may share one address. */
export function flagAsMany(verdict: BotVerdict): BotVerdict {
  if (verdict.kind === 'no-script') return { ...verdict, doubts: [...verdict.doubts, 'many'] };
  return verdict.kind === 'clean' ? { kind: 'many' } : verdict;
}

interface Circumstances {
  verdict: BotVerdict;
  isOverQuota: boolean;
  urgent: boolean;
  canary: boolean;
}

/**
 * Only a form without a script is held: beyond the quota, or with the trap filled in. The other doubts are only shown to
 * staff: a person may come back to an old page. An urgent request is never held: its sender may be unsafe
 * now, and a digest is easily taken for junk.
 */
export function findHeldUntil(
  { verdict, isOverQuota, urgent, canary }: Circumstances,
  at: Date,
): Date | undefined {
  const isHeld = verdict.kind === 'no-script' && (isOverQuota || (isTrapped(verdict) && !canary));
  // Fixed times, so that all held mail of several servers goes out together.
  if (isHeld && !urgent) return new Date((Math.floor(at.getTime() / digestEveryMs) + 1) * digestEveryMs);
}

/** @param hourlyRank the number of the form among its client's within the hour. */
export const findRank = (hourlyRank: number, isOverQuota: boolean): number =>
  isOverQuota ? flaggedRankOffset + hourlyRank : Math.min(hourlyRank, flaggedRankOffset);

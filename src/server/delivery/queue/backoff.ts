/**
 * After a failure that may pass: half a minute, a minute, two, four, eight, and from then on every quarter of an
 * hour, for as long as it takes. Nothing is given up, so the five days that mail servers commonly try for are only
 * a point on the way; who runs the site hears of it after an hour.
 */
const firstMs = 30_000;
const longestMs = 15 * 60_000;

/** Up to half of it earlier, drawn at random, so that what failed together does not come back together. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  const whole = Math.min(firstMs * 2 ** Math.max(0, attempts - 1), longestMs);
  return Math.round(whole * (1 - random() / 2));
}

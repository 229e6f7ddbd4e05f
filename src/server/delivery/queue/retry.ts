/**
 * After a failure that may pass: half a minute, a minute, two, four, eight, and from then on every quarter of an hour.
 * No request is ever given up: after an hour staff get a notice.
 */
const firstMs = 30_000;
export const longestBackoffMs = 15 * 60_000;

/** With jitter: up to half of the wait less, so that mails that failed together do not come back together. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  const whole = Math.min(firstMs * 2 ** Math.max(0, attempts - 1), longestBackoffMs);
  return Math.round(whole * (1 - random() / 2));
}

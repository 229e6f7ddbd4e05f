import { sayNzDay } from '../time/nz-time.ts';

const dayMs = 24 * 60 * 60_000;
/** Long enough that somebody who works on Tuesdays can have it renewed. */
const warnMs = 14 * dayMs;

/**
 * A certificate that will not last much longer. One that is made for six weeks, or for six days, is renewed by a program in the
 * last third of that: only what is left in its last quarter was forgotten.
 */
export function certificateWarning(
  certificate: { until: Date; from: Date | null } | null,
  now: Date,
): string | null {
  if (!certificate) return null;
  const { until, from } = certificate;
  const quarterMs = from ? (until.getTime() - from.getTime()) / 4 : warnMs;
  if (until.getTime() - now.getTime() > Math.min(warnMs, quarterMs)) return null;
  return `the certificate of the mail server expires on ${sayNzDay(until)}`;
}

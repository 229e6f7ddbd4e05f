import { formatNzDay } from '../time/nz-time.ts';

const dayMs = 24 * 60 * 60_000;
/** Long enough for somebody who works one day a week to have it renewed. */
const warnMs = 14 * dayMs;

export interface MailCertificate {
  until: Date;
  /** Null where the certificate does not tell. */
  from: Date | null;
}

/**
 * Warns of a certificate that expires soon. A certificate for six weeks or six days is renewed automatically in the last
 * third of that time: one in its last quarter was forgotten.
 */
export function certificateWarning(certificate: MailCertificate | null, now: Date): string | null {
  if (!certificate) return null;
  const { until, from } = certificate;
  const quarterMs = from ? (until.getTime() - from.getTime()) / 4 : warnMs;
  if (until.getTime() - now.getTime() > Math.min(warnMs, quarterMs)) return null;
  return `the certificate of the mail server runs out on ${formatNzDay(until)}`;
}

import { type FormName, formNames } from '../../../model/form-field.ts';
import type { OpenSummary } from '../../store/contract/follow-ups.ts';
import { formatDay, nzDay } from '../../time/nz-time.ts';
import { addWorkingDays } from '../../time/working-days.ts';
import { nouns } from '../letter/submission-letter.ts';

/** '3 requests and 1 message'. */
export function formatOpenCounts(counts: Partial<Record<FormName, number>>): string {
  return formNames
    .flatMap((form) => {
      const count = counts[form] ?? 0;
      return count === 0 ? [] : `${count} ${nouns[form]}${count === 1 ? '' : 's'}`;
    })
    .join(' and ');
}

/** Of a request that came in while the clock was ahead. */
export const clockWasWrong = 'The clock was wrong when it came in';
export const formatWaitingSince = (receivedAt: Date, now: Date): string =>
  receivedAt > now ? clockWasWrong : `Waiting since ${formatDay(nzDay(receivedAt))}`;

/** '3 requests and 1 message, the oldest since Friday 13 November'. Null where nothing is open. */
export function describeOpen(open: readonly OpenSummary[]): string | null {
  const [oldest] = open.map(({ oldestReceivedAt }) => oldestReceivedAt).toSorted((a, b) => +a - +b);
  if (!oldest) return null;
  const counts = formatOpenCounts(Object.fromEntries(open.map(({ form, open: count }) => [form, count])));
  return `${counts}, the oldest since ${formatDay(nzDay(oldest))}`;
}

/** Erasing may wait, for two weeks of warnings or for somebody who trusts the clock: a day that is past is not named. */
export const describeErased = (at: Date, now: Date): string =>
  at > now ? `will be erased on ${formatDay(nzDay(at))}` : 'may be erased any day';

/** For /health/deliveries, also while the trust is closed. */
export function findUrgentWarning(open: readonly OpenSummary[]): string | null {
  const urgent = open.filter(({ urgentUntaken }) => urgentUntaken > 0);
  if (urgent.length === 0) return null;
  const counts = urgent.map(({ form, urgentUntaken }) => [form, urgentUntaken]);
  return `nobody has taken what is urgent: ${formatOpenCounts(Object.fromEntries(counts))}`;
}

/** For /health/deliveries: null unless something waits longer than promised, or there would always be a warning. */
export function findOpenWarning(
  open: readonly OpenSummary[],
  remindAfter: Record<FormName, number>,
  closed: Parameters<typeof addWorkingDays>[2],
  now: Date,
): string | null {
  const isLate = open.some(
    ({ form, oldestReceivedAt }) => addWorkingDays(oldestReceivedAt, remindAfter[form], closed) <= now,
  );
  return isLate ? `an answer is later than promised. Waiting: ${describeOpen(open)}` : null;
}

import type { StoredSubmission } from '../../store/contract/submission.ts';
import { addDays, formatNzTime, nzDay, nzMoment } from '../../time/nz-time.ts';

/**
 * How often staff are reminded of an urgent submission that nobody takes: every two hours at first, and then twice a day,
 * without end.
 */

export interface UrgentReminder {
  submission: StoredSubmission;
  /** How many reminders came before this one. */
  before: number;
}

const hourMs = 3_600_000;
/** So many reminders come every two hours: for 23 hours. */
const mostClose = 12;
const closeMs = 2 * hourMs;
/** Of what is older than this a restored backup, or REMINDERS that were off, would otherwise wake people every two hours. */
const closeForMs = 3 * 24 * hourMs;

/** @param at REMIND_AT: the others come then, and twelve hours later */
export function nextReminderAt(reminder: UrgentReminder, now: Date, at: string): Date {
  const soon = new Date(now.getTime() + closeMs);
  if (isClose(reminder, now)) return soon;
  const other = `${String((Number(at.slice(0, 2)) + 12) % 24).padStart(2, '0')}${at.slice(2)}`;
  const days = [0, 1].map((days) => addDays(nzDay(now), days));
  const moments = days.flatMap((day) => [at, other].toSorted().map((time) => nzMoment(day, time)));
  return moments.find((moment) => moment >= soon) ?? soon;
}

const isClose = ({ submission: { receivedAt }, before }: UrgentReminder, now: Date) =>
  before + 1 < mostClose && now.getTime() - receivedAt.getTime() < closeForMs;

export function formatNumber(reminder: UrgentReminder, now: Date, at: string): string {
  const number = `This is reminder ${reminder.before + 1}.`;
  return isClose(reminder, now)
    ? `${number} The next one comes in about two hours.`
    : `${number} They come twice a day now, the next one on ${formatNzTime(nextReminderAt(reminder, now, at))}.`;
}

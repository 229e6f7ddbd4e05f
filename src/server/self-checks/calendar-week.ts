import { addDays, nzDay, startOfNzDay } from '../time/nz-time.ts';

/** Weeks from Monday to Sunday, in New Zealand. */

const letterHour = 8;

/** Days such as '2026-11-15', both included. */
export interface Week {
  from: string;
  to: string;
}

function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

const letterTime = (day: string) => new Date((startOfNzDay(day)?.getTime() ?? 0) + letterHour * 60 * 60_000);

/** The last Monday at eight in the morning. Daylight saving changes on Sundays, so eight is eight hours after midnight. */
export function lastLetterTime(now: Date): Date {
  const monday = mondayOf(nzDay(now));
  const thisWeek = letterTime(monday);
  return thisWeek <= now ? thisWeek : letterTime(addDays(monday, -7));
}

/** The next one after this moment. */
export const nextLetterTime = (now: Date): Date => letterTime(addDays(nzDay(lastLetterTime(now)), 7));

/** The last `count` whole weeks before a letter, the oldest first. */
export function weeksBefore(due: Date, count: number): Week[] {
  const monday = mondayOf(nzDay(due));
  return Array.from({ length: count }, (_, index) => {
    const from = addDays(monday, -7 * (count - index));
    return { from, to: addDays(from, 6) };
  });
}

export const isInWeek = ({ from, to }: Week, day: string): boolean => from <= day && day <= to;

const spoken = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-NZ', { timeZone: 'UTC', day: 'numeric', ...options });
const formats = {
  long: { whole: spoken({ month: 'long', year: 'numeric' }), month: spoken({ month: 'long' }) },
  short: { whole: spoken({ month: 'short' }), month: spoken({ month: 'short' }) },
} as const;

/** '9 to 15 November 2026', or '9–15 Nov' for short. */
export function formatWeek({ from, to }: Week, length: keyof typeof formats): string {
  const [first, last] = [from, to].map((day) => new Date(`${day}T00:00:00Z`)) as [Date, Date];
  const { whole, month } = formats[length];
  const sameMonth = from.slice(0, 7) === to.slice(0, 7);
  const sameYear = from.slice(0, 4) === to.slice(0, 4);
  const begin = sameMonth ? String(first.getUTCDate()) : (sameYear ? month : whole).format(first);
  return `${begin}${length === 'long' ? ' to ' : '–'}${whole.format(last)}`;
}

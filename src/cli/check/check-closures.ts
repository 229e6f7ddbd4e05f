import type { Content } from '../../server/content/content.ts';
import { noticeDays } from '../../server/pages/apply-closure.ts';
import { lastHolidayYear } from '../../server/time/holidays.ts';
import { addDays, formatDay, nzDay } from '../../server/time/nz-time.ts';

const withYear = (day: string) => `${formatDay(day)} ${day.slice(0, 4)}`;

/** One line for each time the trust is closed. */
export function describeClosures({ site }: Content, now: Date): string[] {
  return site.closed
    .filter(({ until }) => until > nzDay(now))
    .map(
      ({ from, until }) =>
        `from ${withYear(from)}; somebody reads again on ${withYear(until)}. Every page says so from ${withYear(addDays(from, -noticeDays))}`,
    );
}

/** Notes on times that are over, and on a reopening at a weekend. */
export function findClosureNotes({ site }: Content, now: Date): string[] {
  return site.closed.flatMap(({ from, until }) => {
    const which = `site.yaml: closed from ${from} until ${until}`;
    if (until <= nzDay(now)) return `${which} is over: its lines can go.`;
    const weekend = /^S/.test(formatDay(until));
    return weekend ? `${which}: ${formatDay(until)} is promised as the day somebody reads again. Is it?` : [];
  });
}

/** A note from a year before the known public holidays end. */
export function findHolidayNotes(now: Date): string[] {
  if (nzDay(now) <= `${lastHolidayYear - 1}-12-31`) return [];
  return [
    `this version knows the public holidays until the end of ${lastHolidayYear}: after that, reminders come on holidays too. A newer version knows more.`,
  ];
}

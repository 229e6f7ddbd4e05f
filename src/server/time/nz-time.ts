/** Staff read New Zealand time; the server and the database use UTC. */
const timeZone = 'Pacific/Auckland';

const spoken = new Intl.DateTimeFormat('en-NZ', {
  timeZone,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const spokenDay = new Intl.DateTimeFormat('en-NZ', {
  timeZone,
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
/** For a day without a time, which has no time zone. In the calendar and the digits of the rest of the page. */
const weekday = {
  timeZone: 'UTC',
  calendar: 'gregory',
  numberingSystem: 'latn',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
} as const;
const sortable = new Intl.DateTimeFormat('en-CA', {
  timeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** 'Sunday, 15 November 2026 at 3:10 pm', for people. */
export function formatNzTime(date: Date): string {
  return spoken.format(date);
}

/** '15 November 2026', for people. */
export function formatNzDay(date: Date): string {
  return spokenDay.format(date);
}

/** 'Sunday 15 November', for people, of a day such as '2026-11-15'. */
export const formatDay = (day: string): string => formatDayIn('en-NZ', day) ?? day;

/** The same in another language. Null where Intl does not know the language. */
export function formatDayIn(language: string, day: string): string | null {
  const [known] = Intl.DateTimeFormat.supportedLocalesOf(language);
  if (known === undefined) return null;
  const spoken = new Intl.DateTimeFormat(known, weekday).format(new Date(day));
  return known.startsWith('en') ? spoken.replace(',', '') : spoken;
}

/** '2026-11-15', the day it is in New Zealand. */
export function nzDay(date: Date): string {
  return nzTime(date).slice(0, 10);
}

/** '2026-11-15-15-10', for the names of files. */
export function fileNzTime(date: Date): string {
  return nzTime(date).replace(/[ :]/g, '-');
}

/** '2026-11-15 15:10', for tables: as text it sorts by time. */
export function nzTime(date: Date): string {
  return sortable.format(date).replace(', ', ' ').slice(0, 16);
}

/** The moment a day such as '2026-11-15' begins in New Zealand; null for any other text. */
export function startOfNzDay(day: string): Date | null {
  const utc = new Date(`${day}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(utc.getTime())) return null;
  if (utc.toISOString().slice(0, 10) !== day) return null;
  // New Zealand had no common time then, and Intl may write a year with fewer than four digits.
  return utc.getUTCFullYear() < 1900 ? utc : fromWallTime(utc);
}

/** The last moment at which clocks in New Zealand showed this time of day ('16:00'). */
export function lastNzTimeOfDay(now: Date, time: string): Date {
  const today = nzDay(now);
  const at = nzMoment(today, time);
  return at <= now ? at : nzMoment(addDays(today, -1), time);
}

/** The next moment at which they do. */
export function nextNzTimeOfDay(now: Date, time: string): Date {
  const today = nzDay(now);
  const at = nzMoment(today, time);
  return at > now ? at : nzMoment(dayAfter(today), time);
}

/** The moment at which clocks in New Zealand show this time ('16:00') on this day. */
export const nzMoment = (day: string, time: string): Date => fromWallTime(new Date(`${day}T${time}:00Z`));

/** The moment at which clocks in New Zealand show `wall`, given as if in UTC. A time that daylight saving skips becomes one beside it. */
function fromWallTime(wall: Date): Date {
  // Twice: the first guess may be on the other side of a change of daylight saving, with another offset.
  const once = new Date(wall.getTime() - offsetMs(wall));
  return new Date(wall.getTime() - offsetMs(once));
}

const dayMs = 86_400_000;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

export const dayAfter = (day: string): string => addDays(day, 1);

export function daysBetween(day: string, later: string): number {
  return (Date.parse(later) - Date.parse(day)) / dayMs;
}

function offsetMs(date: Date): number {
  const wall = Date.parse(`${sortable.format(date).replace(', ', 'T')}Z`);
  return wall - Math.floor(date.getTime() / 1000) * 1000;
}

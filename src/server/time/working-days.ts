import type { Closure } from '../../model/closure.ts';
import { holidays } from './holidays.ts';
import { addDays, dayAfter, daysBetween, nzDay, nzMoment, nzTime } from './nz-time.ts';

/** Working days in New Zealand: no weekend, no public holiday, and no day on which the trust is closed. */

type Closed = readonly Pick<Closure, 'from' | 'until'>[];

export function isWorkingDay(day: string, closed: Closed): boolean {
  const weekday = new Date(day).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  return !isWeekend && !holidays.has(day) && !closed.some(({ from, until }) => from <= day && day < until);
}

function nextWorkingDay(day: string, closed: Closed): string {
  let next = dayAfter(day);
  while (!isWorkingDay(next, closed)) next = dayAfter(next);
  return next;
}

function lastWorkingDay(day: string, closed: Closed): string {
  let last = addDays(day, -1);
  while (!isWorkingDay(last, closed)) last = addDays(last, -1);
  return last;
}

/** Where a count of working days begins: what comes in on another day has waited from the start of the next working day. */
function startOfWait(from: Date, closed: Closed): { day: string; time: string } {
  const [day = '', time = ''] = nzTime(from).split(' ');
  return isWorkingDay(day, closed) ? { day, time } : { day: nextWorkingDay(day, closed), time: '00:00' };
}

/** So many working days later, at the same time of day: Friday 16:00 and one day is Monday 16:00. */
export function addWorkingDays(from: Date, days: number, closed: Closed): Date {
  const start = startOfWait(from, closed);
  let { day } = start;
  for (let count = 0; count < days; count++) day = nextWorkingDay(day, closed);
  return nzMoment(day, start.time);
}

/** What came in up to this moment has waited for so many working days, by the same count. */
export function subtractWorkingDays(to: Date, days: number, closed: Closed): Date {
  let [day = '', time = ''] = nzTime(to).split(' ');
  if (!isWorkingDay(day, closed)) [day, time] = [lastWorkingDay(day, closed), '23:59'];
  for (let count = 0; count < days; count++) day = lastWorkingDay(day, closed);
  return nzMoment(day, time);
}

/** How many whole working days lie between, by the same count. */
export function countWorkingDays(from: Date, to: Date, closed: Closed): number {
  const start = startOfWait(from, closed);
  const [endDay = '', endTime = ''] = nzTime(to).split(' ');
  let days = 0;
  for (let day = start.day; day < endDay; ) {
    day = nextWorkingDay(day, closed);
    if (day < endDay || (day === endDay && start.time <= endTime)) days++;
  }
  return days;
}

/** Of a request that comes in on this day: how many days it takes until so many whole working days have passed. */
export function daysUntilWorked(day: string, workingDays: number, closed: Closed): number {
  let last = day;
  for (let count = 0; count < workingDays; count++) last = nextWorkingDay(last, closed);
  return daysBetween(day, last) + 1;
}

/** The longest time in which nobody works that begins within a year from now. */
export function findLongestBreak(now: Date, closed: Closed): { from: string; days: number } {
  const today = nzDay(now);
  let longest = { from: today, days: 0 };
  for (let day = today; day < addDays(today, 365); ) {
    const next = nextWorkingDay(day, closed);
    const from = isWorkingDay(day, closed) ? dayAfter(day) : day;
    const days = daysBetween(from, next);
    if (days > longest.days) longest = { from, days };
    day = next;
  }
  return longest;
}

/** The last working day's `time` ('08:30') that has passed. */
export function lastWorkingTime(now: Date, time: string, closed: Closed): Date {
  let day = nzDay(now);
  while (!isWorkingDay(day, closed) || nzMoment(day, time) > now) day = addDays(day, -1);
  return nzMoment(day, time);
}

/** The first working day's `time` after this moment. */
export function nextWorkingTime(after: Date, time: string, closed: Closed): Date {
  const day = nzDay(after);
  const today = nzMoment(day, time);
  if (today > after && isWorkingDay(day, closed)) return today;
  return nzMoment(nextWorkingDay(day, closed), time);
}

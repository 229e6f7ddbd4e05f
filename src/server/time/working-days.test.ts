import { expect, test } from 'vitest';
import { lastHolidayYear } from './holidays.ts';
import { addDays, nzMoment, nzTime } from './nz-time.ts';
import {
  addWorkingDays,
  countWorkingDays,
  daysUntilWorked,
  findLongestBreak,
  isWorkingDay,
  lastWorkingTime,
  nextWorkingTime,
  subtractWorkingDays,
} from './working-days.ts';

const at = (text: string) => nzMoment(...(text.split(' ') as [string, string]));
const later = (text: string, days: number, closed = none) => nzTime(addWorkingDays(at(text), days, closed));
const none: { from: string; until: string }[] = [];
const christmas = [{ from: '2026-12-22', until: '2027-01-11' }];

test('weekends, public holidays and the days on which the trust is closed are no working days', () => {
  // Friday, Saturday, Sunday, Labour Day, Tuesday.
  const days = ['2026-10-23', '2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27'];
  expect(days.map((day) => isWorkingDay(day, none))).toEqual([true, false, false, false, true]);
  expect(
    ['2026-12-21', '2026-12-22', '2027-01-08', '2027-01-11'].map((day) => isWorkingDay(day, christmas)),
  ).toEqual([
    true,
    false,
    false,
    // The day somebody reads again.
    true,
  ]);
});

test('a working day later is the same time on the next working day', () => {
  expect(later('2026-11-13 16:00', 1)).toBe('2026-11-16 16:00');
  expect(later('2026-11-16 09:15', 3)).toBe('2026-11-19 09:15');
  expect(later('2026-10-23 16:00', 1)).toBe('2026-10-27 16:00');
  expect(later('2026-12-21 16:00', 1, christmas)).toBe('2027-01-11 16:00');
});

test('what comes in on another day has waited from the start of the next working day', () => {
  expect(later('2026-11-14 11:00', 1)).toBe('2026-11-17 00:00');
  expect(later('2026-10-26 11:00', 1)).toBe('2026-10-28 00:00');
  expect(later('2026-12-24 11:00', 1, christmas)).toBe('2027-01-12 00:00');
});

test('the same time of day stays the same when daylight saving ends and begins', () => {
  // The clocks change on Sunday 5 April and on Sunday 27 September 2026; 3 and 6 April are Easter.
  expect(later('2026-04-02 16:00', 1)).toBe('2026-04-07 16:00');
  expect(later('2026-09-25 16:00', 1)).toBe('2026-09-28 16:00');
  const hours = (from: string) =>
    (addWorkingDays(at(from), 1, none).getTime() - at(from).getTime()) / 3_600_000;
  expect(hours('2026-04-02 16:00')).toBe(5 * 24 + 1);
  expect(hours('2026-09-25 16:00')).toBe(3 * 24 - 1);
});

test('as many working days have passed as were added, and not a minute sooner', () => {
  for (const from of ['2026-11-13 16:00', '2026-11-14 11:00', '2026-09-25 16:00', '2026-04-02 08:31'])
    for (const days of [1, 2, 7]) {
      const end = addWorkingDays(at(from), days, none);
      expect(countWorkingDays(at(from), end, none)).toBe(days);
      expect(countWorkingDays(at(from), new Date(end.getTime() - 60_000), none)).toBe(days - 1);
    }
  expect(countWorkingDays(at('2026-11-13 16:00'), at('2026-11-15 12:00'), none)).toBe(0);
});

test('what has waited for so many working days came in up to that many before, and nothing later has', () => {
  for (const closed of [none, christmas])
    for (const now of ['2026-11-18 08:30', '2026-11-15 12:00', '2026-12-30 09:00', '2027-01-11 08:30'])
      for (const days of [1, 2, 6]) {
        const until = subtractWorkingDays(at(now), days, closed);
        expect(addWorkingDays(until, days, closed) <= at(now)).toBe(true);
        expect(addWorkingDays(new Date(until.getTime() + 60_000), days, closed) > at(now)).toBe(true);
      }
  expect(nzTime(subtractWorkingDays(at('2026-11-16 08:30'), 1, none))).toBe('2026-11-13 08:30');
});

test('the last and the next working morning are on working days, also over weekends, holidays and closed days', () => {
  const around = (now: string, closed = none) => [
    nzTime(lastWorkingTime(at(now), '08:30', closed)),
    nzTime(nextWorkingTime(at(now), '08:30', closed)),
  ];
  expect(around('2026-11-17 08:29')).toEqual(['2026-11-16 08:30', '2026-11-17 08:30']);
  expect(around('2026-11-17 08:30')).toEqual(['2026-11-17 08:30', '2026-11-18 08:30']);
  expect(around('2026-11-15 12:00')).toEqual(['2026-11-13 08:30', '2026-11-16 08:30']);
  expect(around('2026-10-26 09:00')).toEqual(['2026-10-23 08:30', '2026-10-27 08:30']);
  expect(around('2026-12-30 09:00', christmas)).toEqual(['2026-12-21 08:30', '2027-01-11 08:30']);
});

test('half past eight is half past eight on the first working days after the clocks have changed', () => {
  const morning = (now: string) => lastWorkingTime(at(now), '08:30', none).toISOString();
  expect(morning('2026-09-25 12:00')).toBe('2026-09-24T20:30:00.000Z');
  expect(morning('2026-09-28 12:00')).toBe('2026-09-27T19:30:00.000Z');
  expect(morning('2026-04-02 12:00')).toBe('2026-04-01T19:30:00.000Z');
  expect(morning('2026-04-07 12:00')).toBe('2026-04-06T20:30:00.000Z');
});

test('ten whole working days lie within any 21 days, Christmas and Easter included', () => {
  const needed: number[] = [];
  for (let day = '2026-01-01'; day < `${lastHolidayYear}-12-01`; day = addDays(day, 1))
    needed.push(daysUntilWorked(day, 10, none));
  expect(needed.length).toBeGreaterThan(3_000);
  expect(Math.max(...needed)).toBe(21);
  expect(daysUntilWorked('2026-12-21', 10, christmas)).toBe(33);
});

test('the longest time in which nobody works is named by its first day, weekends included', () => {
  const now = at('2026-11-18 12:00');
  expect(findLongestBreak(now, christmas)).toEqual({ from: '2026-12-22', days: 20 });
  expect(findLongestBreak(at('2026-12-25 12:00'), christmas)).toEqual({ from: '2026-12-25', days: 17 });
  expect(findLongestBreak(now, [{ from: '2028-01-01', until: '2028-03-01' }]).days).toBe(4);
});

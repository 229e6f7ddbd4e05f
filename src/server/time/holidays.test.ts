import { expect, test } from 'vitest';
import { holidays, lastHolidayYear } from './holidays.ts';
import { addDays } from './nz-time.ts';

const weekday = (day: string) => new Date(day).getUTCDay();
const [sunday, monday, friday, saturday] = [0, 1, 5, 6];

/** The Sunday of Easter, by the anonymous Gregorian computus. */
function easter(year: number): string {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100];
  const [d, e] = [Math.floor(b / 4), b % 4];
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - d - g + 15) % 30;
  const [i, k] = [Math.floor(c / 4), c % 4];
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return new Date(Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1)).toISOString().slice(0, 10);
}

/** Holidays Act 2003, sections 45 and 45A: one day moves to Monday; of two days in a row the second may move to Tuesday. */
const mondayised = (day: string) =>
  weekday(day) === saturday ? addDays(day, 2) : weekday(day) === sunday ? addDays(day, 1) : day;
const mondayisedPair = (day: string) => {
  const second = addDays(day, 1);
  return [
    [saturday, sunday].includes(weekday(day)) ? addDays(day, 2) : day,
    [saturday, sunday].includes(weekday(second)) ? addDays(second, 2) : second,
  ];
};
const nthMonday = (month: string, n: number) => {
  const first = `${month}-01`;
  return addDays(first, ((monday - weekday(first) + 7) % 7) + 7 * (n - 1));
};

/** Schedule 1 of the Te Kāhui o Matariki Public Holiday Act 2022. */
const matariki = [
  ...['2026-07-10', '2027-06-25', '2028-07-14', '2029-07-06', '2030-06-21'],
  ...['2031-07-11', '2032-07-02', '2033-06-24', '2034-07-07', '2035-06-29'],
];

test('the public holidays of each year follow the rules', () => {
  const years = Array.from({ length: lastHolidayYear - 2025 }, (_, index) => 2026 + index);
  expect(years).toHaveLength(matariki.length);
  const byRule = years.flatMap((year, index) => [
    ...mondayisedPair(`${year}-01-01`),
    mondayised(`${year}-02-06`),
    addDays(easter(year), -2),
    addDays(easter(year), 1),
    mondayised(`${year}-04-25`),
    nthMonday(`${year}-06`, 1),
    matariki[index] ?? '',
    nthMonday(`${year}-10`, 4),
    ...mondayisedPair(`${year}-12-25`),
  ]);
  expect([...holidays].toSorted()).toEqual(byRule.toSorted());
  expect(matariki.every((day) => weekday(day) === friday)).toBe(true);
});

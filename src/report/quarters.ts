import { addDays } from '../server/time/nz-time.ts';

/**
 * A quarter of a year, '2026-Q3'. Figures are made safe once for each quarter, and every report is made of whole quarters: two
 * overlapping reports then have the same numbers, and nothing can be worked out from their difference.
 */
export type Quarter = string;

const monthsAYear = 12;

/** Months since the year 0, to calculate with. */
const countMonths = (month: string) =>
  Number(month.slice(0, 4)) * monthsAYear + Number(month.slice(5, 7)) - 1;

const nameMonth = (count: number) =>
  `${String(Math.floor(count / monthsAYear)).padStart(4, '0')}-${String((count % monthsAYear) + 1).padStart(2, '0')}`;

const countQuarters = (quarter: Quarter) => Number(quarter.slice(0, 4)) * 4 + Number(quarter.slice(6)) - 1;
const nameQuarter = (count: number) =>
  `${String(Math.floor(count / 4)).padStart(4, '0')}-Q${(count % 4) + 1}`;

/** '2026-07', or null where the text is no month. */
export function readMonth(text: string): string | null {
  const [, year, month] = /^(\d{4})-(\d{2})$/.exec(text) ?? [];
  return Number(year) > 0 && Number(month) >= 1 && Number(month) <= monthsAYear ? text : null;
}

export const quarterOf = (day: string): Quarter => nameQuarter(Math.floor(countMonths(day) / 3));

export function monthsOf(quarter: Quarter): [string, string, string] {
  const first = countQuarters(quarter) * 3;
  return [nameMonth(first), nameMonth(first + 1), nameMonth(first + 2)];
}

export const quarterAfter = (quarter: Quarter): Quarter => nameQuarter(countQuarters(quarter) + 1);
export const quarterBefore = (quarter: Quarter): Quarter => nameQuarter(countQuarters(quarter) - 1);

export function quartersBetween(first: Quarter, last: Quarter): Quarter[] {
  const [from, to] = [countQuarters(first), countQuarters(last)];
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => nameQuarter(from + n));
}

/** As many quarters, immediately before. */
export function quartersBefore(quarters: readonly Quarter[]): Quarter[] {
  const [first = ''] = quarters;
  return Array.from({ length: quarters.length }, (_, n) =>
    nameQuarter(countQuarters(first) - quarters.length + n),
  );
}

export const firstDay = (quarter: Quarter): string => `${monthsOf(quarter)[0]}-01`;

export const lastDay = (quarter: Quarter): string => addDays(firstDay(quarterAfter(quarter)), -1);

/** Figures of a quarter that is not over change from day to day, and the difference could be one person. */
export const isOver = (quarter: Quarter, today: string): boolean => today >= firstDay(quarterAfter(quarter));

const monthName = new Intl.DateTimeFormat('en-NZ', { month: 'long', timeZone: 'UTC' });
const asDate = (day: string) => new Date(`${day.slice(0, 7)}-01T00:00:00Z`);

export const formatMonth = (month: string): string => monthName.format(asDate(month));

/** 'July to September 2026', 'October 2025 to March 2026'. */
export function formatPeriod(quarters: readonly Quarter[]): string {
  const from = firstDay(quarters[0] ?? '');
  const to = lastDay(quarters.at(-1) ?? '');
  const [fromYear, toYear] = [from.slice(0, 4), to.slice(0, 4)];
  return `${formatMonth(from)}${fromYear === toYear ? '' : ` ${fromYear}`} to ${formatMonth(to)} ${toYear}`;
}

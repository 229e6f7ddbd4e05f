import { capitalise } from '../model/sentence.ts';
import { nameLanguage } from '../server/delivery/letter/format-language.ts';
import { deliveryBounds } from '../server/store/contract/counts.ts';
import { formatMonth } from './quarters.ts';

/** The label of a row that counts one cell, or several adjacent ones. */

const weekdayNames: Record<string, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** 'Saturday and Sunday', 'Friday to Sunday' */
function joinNames(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ');
  return `${names[0]} to ${names.at(-1)}`;
}

export const labelWeekdays = (cells: readonly string[]): string =>
  joinNames(cells.map((cell) => weekdayNames[cell] ?? cell));

export function labelMonths(cells: readonly string[], withYear: boolean): string {
  const names = joinNames(cells.map(formatMonth));
  return withYear ? `${names} ${cells[0]?.slice(0, 4)}` : names;
}

function formatHour(hour: number): string {
  if (hour % 24 === 0) return 'midnight';
  if (hour === 12) return 'noon';
  return hour < 12 ? `${hour} am` : `${hour - 12} pm`;
}

export function labelHours(cells: readonly string[]): string {
  const [first, last] = [Number(cells[0]), Number(cells.at(-1))];
  return capitalise(`${formatHour(first)} to ${formatHour(last + 3)}`);
}

const boundNames = ['a minute', 'ten minutes', 'an hour', 'a day'];
const boundIndex = (cell: string) => deliveryBounds.findIndex((bound) => String(bound) === cell);

export function labelDelivered(cells: readonly string[]): string {
  const first = boundIndex(cells[0] ?? '');
  const last = boundIndex(cells.at(-1) ?? '');
  if (last === boundNames.length) return `Later than ${boundNames[first - 1]}`;
  return `Within ${boundNames[last]}`;
}

export const labelLanguages = (cells: readonly string[]): string => joinNames(cells.map(nameLanguage));

export const labelTicks = ([cell]: readonly string[]): string => (cell === 'true' ? 'Yes' : 'No');

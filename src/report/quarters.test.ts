import { expect, test } from 'vitest';
import {
  formatPeriod,
  isOver,
  lastDay,
  monthsOf,
  quarterOf,
  quartersBefore,
  quartersBetween,
  readMonth,
} from './quarters.ts';

test('a quarter has its three months, and the quarter after December is next year’s', () => {
  expect(quarterOf('2026-09-30')).toBe('2026-Q3');
  expect(monthsOf('2026-Q4')).toEqual(['2026-10', '2026-11', '2026-12']);
  expect(quartersBetween('2025-Q4', '2026-Q2')).toEqual(['2025-Q4', '2026-Q1', '2026-Q2']);
  expect(quartersBetween('2026-Q2', '2025-Q4')).toEqual([]);
  expect(quartersBefore(['2026-Q1', '2026-Q2'])).toEqual(['2025-Q3', '2025-Q4']);
});

test('a quarter is over on the day after its last', () => {
  expect(lastDay('2024-Q1')).toBe('2024-03-31');
  expect(isOver('2026-Q3', '2026-09-30')).toBe(false);
  expect(isOver('2026-Q3', '2026-10-01')).toBe(true);
});

test('a period is said in words', () => {
  expect(formatPeriod(['2026-Q3'])).toBe('July to September 2026');
  expect(formatPeriod(['2025-Q4', '2026-Q1'])).toBe('October 2025 to March 2026');
});

test('only a valid month is read', () => {
  expect(readMonth('2026-07')).toBe('2026-07');
  for (const wrong of ['2026-13', '2026-00', '2026-7', '0000-01', 'July', '2026-07-01', '']) {
    expect(readMonth(wrong)).toBeNull();
  }
});

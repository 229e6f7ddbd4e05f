import { expect, test } from 'vitest';
import { dayAfter, nzTime, sayNzTime, startOfNzDay } from './nz-time.ts';

test('a time is said as it is on the clocks in New Zealand, in summer and in winter', () => {
  expect(nzTime(new Date('2026-11-15T02:10:49Z'))).toBe('2026-11-15 15:10');
  expect(nzTime(new Date('2026-07-01T12:00:00Z'))).toBe('2026-07-02 00:00');
  expect(sayNzTime(new Date('2026-11-15T02:10:49Z'))).toMatch(/Sunday,? 15 November 2026.* 3:10\spm/);
});

test('a day begins at midnight there, also on the days the clocks change', () => {
  expect(startOfNzDay('2026-07-01')?.toISOString()).toBe('2026-06-30T12:00:00.000Z');
  expect(startOfNzDay('2026-01-01')?.toISOString()).toBe('2025-12-31T11:00:00.000Z');
  expect(startOfNzDay('2026-09-27')?.toISOString()).toBe('2026-09-26T12:00:00.000Z');
  expect(startOfNzDay('2026-09-28')?.toISOString()).toBe('2026-09-27T11:00:00.000Z');
  expect(startOfNzDay('2026-04-05')?.toISOString()).toBe('2026-04-04T11:00:00.000Z');
  expect(startOfNzDay('2026-04-06')?.toISOString()).toBe('2026-04-05T12:00:00.000Z');
});

test('what is no day is none', () => {
  for (const text of ['', 'yesterday', '2026-13-01', '2026-02-30', '15/11/2026']) {
    expect(startOfNzDay(text)).toBeNull();
  }
  expect(dayAfter('2026-12-31')).toBe('2027-01-01');
});

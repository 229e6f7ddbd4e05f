import { expect, test } from 'vitest';
import { dayAfter, formatNzTime, lastNzTimeOfDay, nzTime, startOfNzDay } from './nz-time.ts';

test('a time is given in New Zealand time, in summer and in winter', () => {
  expect(nzTime(new Date('2026-11-15T02:10:49Z'))).toBe('2026-11-15 15:10');
  expect(nzTime(new Date('2026-07-01T12:00:00Z'))).toBe('2026-07-02 00:00');
  expect(formatNzTime(new Date('2026-11-15T02:10:49Z'))).toMatch(/Sunday,? 15 November 2026.* 3:10\spm/);
});

test('a day begins at midnight in New Zealand, also when daylight saving changes', () => {
  expect(startOfNzDay('2026-07-01')?.toISOString()).toBe('2026-06-30T12:00:00.000Z');
  expect(startOfNzDay('2026-01-01')?.toISOString()).toBe('2025-12-31T11:00:00.000Z');
  expect(startOfNzDay('2026-09-27')?.toISOString()).toBe('2026-09-26T12:00:00.000Z');
  expect(startOfNzDay('2026-09-28')?.toISOString()).toBe('2026-09-27T11:00:00.000Z');
  expect(startOfNzDay('2026-04-05')?.toISOString()).toBe('2026-04-04T11:00:00.000Z');
  expect(startOfNzDay('2026-04-06')?.toISOString()).toBe('2026-04-05T12:00:00.000Z');
});

test('text that is no day is refused', () => {
  for (const text of ['', 'yesterday', '2026-13-01', '2026-02-30', '15/11/2026']) {
    expect(startOfNzDay(text)).toBeNull();
  }
  expect(dayAfter('2026-12-31')).toBe('2027-01-01');
});

test('the last 16:00 in New Zealand was today or yesterday, also when daylight saving changes', () => {
  const last = (now: string, time = '16:00') => lastNzTimeOfDay(new Date(now), time).toISOString();
  expect(last('2026-11-15T03:00:00Z')).toBe('2026-11-15T03:00:00.000Z');
  expect(last('2026-11-15T02:59:59Z')).toBe('2026-11-14T03:00:00.000Z');
  expect(last('2026-07-01T04:00:00Z')).toBe('2026-07-01T04:00:00.000Z');
  // The day on which the clocks go forward, and the one on which they go back.
  expect(last('2026-09-27T03:00:00Z')).toBe('2026-09-27T03:00:00.000Z');
  expect(last('2026-09-27T02:59:59Z')).toBe('2026-09-26T04:00:00.000Z');
  expect(last('2026-04-05T04:00:00Z')).toBe('2026-04-05T04:00:00.000Z');
  expect(last('2026-04-05T03:59:59Z')).toBe('2026-04-04T03:00:00.000Z');
});

test('a time of day that daylight saving skips or repeats is one moment', () => {
  for (const [day, time] of [
    ['2026-09-26T12:00:00Z', '02:30'],
    ['2026-04-04T11:00:00Z', '02:30'],
  ] as const) {
    const moments = Array.from({ length: 24 }, (_, hour) =>
      lastNzTimeOfDay(new Date(Date.parse(day) + hour * 3_600_000), time).getTime(),
    );
    expect(new Set(moments).size).toBe(2);
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  }
});

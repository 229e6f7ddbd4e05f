import { expect, test } from 'vitest';
import { createClockTrust, judgeClock } from './clock-trust.ts';

const day = 24 * 3_600_000;
const newest = new Date('2026-03-01T00:00:00Z');
const at = (ms: number) => new Date(newest.getTime() + ms);

test.each([
  ['nothing is stored', at(400 * 365 * day), { newest: null, erased: null }, null],
  ['it is the next day', at(day), { newest, erased: null }, null],
  ['other servers are minutes ahead', at(-5 * 60_000), { newest, erased: null }, null],
  ['it is weeks after all that is stored', at(20 * day), { newest, erased: null }, 'ahead'],
  ['erasing was done an hour before', at(20 * day), { newest, erased: at(20 * day - 3_600_000) }, null],
  ['it is years after all that is stored', at(40 * 365 * day), { newest, erased: at(day) }, 'far ahead'],
  ['it is before what is stored', at(-2 * day), { newest, erased: null }, 'behind'],
] as const)('a clock is judged by the times in the database: %s', (_when, now, times, fault) => {
  expect(judgeClock(now, times)).toBe(fault);
});

test('a clock that jumped is believed after a day of running on, and not before', () => {
  let running = 0;
  const { doubt } = createClockTrust(
    () => at(20 * day),
    () => running,
  );
  const times = { newest, erased: null };
  expect(doubt(times)).toBe('ahead');
  running = day - 1;
  expect(doubt(times)).toBe('ahead');
  running = day;
  expect(doubt(times)).toBeNull();
});

test('a clock that is put right is believed at once; the next jump waits its own day', () => {
  let running = 0;
  let now = at(20 * day);
  const { doubt } = createClockTrust(
    () => now,
    () => running,
  );
  const times = { newest, erased: null };
  expect(doubt(times)).toBe('ahead');
  now = at(day);
  expect(doubt(times)).toBeNull();
  now = at(20 * day);
  running = day;
  expect(doubt(times)).toBe('ahead');
});

test('a clock that is years ahead is never believed by itself', () => {
  let running = 0;
  const { doubt } = createClockTrust(
    () => at(40 * 365 * day),
    () => running,
  );
  const times = { newest, erased: null };
  expect(doubt(times)).toBe('far ahead');
  running = 30 * day;
  expect(doubt(times)).toBe('far ahead');
});

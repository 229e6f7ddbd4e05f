import { expect, test } from 'vitest';
import { nzTime } from '../time/nz-time.ts';
import { formatWeek, lastLetterTime, weeksBefore } from './calendar-week.ts';

const hour = 60 * 60_000;

test('the letter is due on Mondays at eight in New Zealand, also after daylight saving has changed', () => {
  // Summer time begins on Sunday 27 September 2026, and ends on Sunday 4 April 2027.
  for (const from of ['2026-09-20T00:00:00Z', '2027-03-28T00:00:00Z', '2026-12-24T00:00:00Z'])
    for (let hours = 0; hours < 21 * 24; hours++) {
      const now = new Date(Date.parse(from) + hours * hour);
      const due = lastLetterTime(now);
      expect(due <= now).toBe(true);
      // A week has an hour more or less than 168 where the clocks change in it.
      expect(now.getTime() - due.getTime()).toBeLessThan(169 * hour);
      expect(nzTime(due)).toMatch(/ 08:00$/);
      expect(new Date(`${nzTime(due).slice(0, 10)}T00:00:00Z`).getUTCDay()).toBe(1);
    }
});

test('a minute before eight the letter of the week before is the last one due', () => {
  const eight = new Date('2026-11-15T19:00:00Z');
  expect(lastLetterTime(eight)).toEqual(eight);
  expect(nzTime(lastLetterTime(new Date(eight.getTime() - 1)))).toBe('2026-11-09 08:00');
});

test('the letter is about whole weeks, from Monday to Sunday', () => {
  const weeks = weeksBefore(new Date('2026-11-15T19:00:00Z'), 3);
  expect(weeks).toEqual([
    { from: '2026-10-26', to: '2026-11-01' },
    { from: '2026-11-02', to: '2026-11-08' },
    { from: '2026-11-09', to: '2026-11-15' },
  ]);
  expect(weeks.map((week) => formatWeek(week, 'short'))).toEqual(['26 Oct–1 Nov', '2–8 Nov', '9–15 Nov']);
  expect(formatWeek({ from: '2026-12-28', to: '2027-01-03' }, 'long')).toBe(
    '28 December 2026 to 3 January 2027',
  );
  expect(formatWeek({ from: '2026-11-30', to: '2026-12-06' }, 'long')).toBe('30 November to 6 December 2026');
});

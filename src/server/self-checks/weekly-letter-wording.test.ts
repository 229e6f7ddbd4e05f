import { expect, test } from 'vitest';
import { weeksBefore } from './calendar-week.ts';
import type { WeeklyLetterData } from './weekly-letter-data.ts';
import { findNeeds, formatDuration, writeSubject } from './weekly-letter-wording.ts';

test('a subject is one line of at most 120 characters, however long a problem is', () => {
  const state = { weeks: [] } as unknown as WeeklyLetterData;
  const subject = writeSubject(state, [
    `the content is not right:\r\nBcc: x@attacker.example ${'word '.repeat(200)}`,
    'more',
  ]);
  expect(subject).toMatch(
    /^\[Website\] Needs attention: the content is not right: [^\r\n]* … \(and 1 more\)$/,
  );
  expect(subject.length).toBeLessThan(120);
});

test('empty weeks are a problem where requests used to come before', () => {
  const at = new Date('2026-11-15T19:00:00Z');
  const needsAfter = (counts: number[]) =>
    findNeeds({
      ...{
        slowestSeconds: null,
        undelivered: 0,
        open: null,
        languages: [],
        space: null,
        contentDate: null,
        canaryAt: null,
        at,
      },
      ...{ certificate: null, health: { problems: [], warnings: [], forStaff: [] } },
      weeks: weeksBefore(at, counts.length).map((week, index) => ({
        ...{ ...week, counts: { help: counts[index] ?? 0, contact: 0 } },
      })),
    });
  expect(needsAfter([3, 2, 0, 0, 0])).toEqual([expect.stringContaining('nothing has come in for 3 weeks')]);
  // Where many write every week, one empty week is a sign, and so is the next one.
  expect(needsAfter([20, 19, 22, 0])).toEqual([expect.stringContaining('nothing has come in for a week')]);
  expect(needsAfter([5, 5, 5, 0, 0])).toEqual([expect.stringContaining('nothing has come in for 2 weeks')]);
  for (const counts of [
    [0],
    [3, 0, 0],
    [4, 0, 0, 0],
    [9, 9, 0, 1, 0],
    [20, 20, 0],
    [20, 4, 20, 0],
    [9, 9, 9],
  ])
    expect(needsAfter(counts)).toEqual([]);
});

test.each([
  [0, '1 second'],
  [40, '40 seconds'],
  [119, '119 seconds'],
  [121, '3 minutes'],
  [7_200, '2 hours'],
  [200_000, '3 days'],
])('%d seconds are called %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});

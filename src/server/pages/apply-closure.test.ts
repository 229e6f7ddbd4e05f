import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import { replyPromise } from '../../model/closure.ts';
import { applyClosure, nzYear } from './apply-closure.ts';

const christmas = { from: '2026-12-24', until: '2027-01-11', message: 'We are on holiday.' };
const easter = { from: '2027-03-26', until: '2027-03-30' };
const site = { ...shippedContent.site, closed: [christmas, easter] };
const at = (time: string) => applyClosure(site, new Date(time));

test('a closure is announced from a week before until the day somebody reads again, in New Zealand time', () => {
  const notices = [
    ['2026-12-16T10:59:59Z', undefined],
    ['2026-12-16T11:00:00Z', 'will be closed from Thursday 24 December. We open again on Monday 11 January.'],
    ['2026-12-23T10:59:59Z', 'will be closed from Thursday 24 December. We open again on Monday 11 January.'],
    ['2026-12-23T11:00:00Z', 'are closed now. We open again on Monday 11 January.'],
    ['2027-01-10T10:59:59Z', 'are closed now. We open again on Monday 11 January.'],
    ['2027-01-10T11:00:00Z', undefined],
  ] as const;
  for (const [time, says] of notices)
    expect([time, at(time).closed?.notice]).toEqual([time, says && `We are on holiday. We ${says}`]);
});

test('a week before, the first and the last day are those of New Zealand also where daylight saving begins or ends', () => {
  // The clocks go back on Sunday 4 April 2027 and forward on Sunday 26 September.
  const closures = [
    { from: '2027-04-04', until: '2027-04-05' },
    { from: '2027-09-26', until: '2027-09-27' },
  ];
  for (const [time, begun] of [
    ['2027-03-27T10:59:59Z', undefined],
    ['2027-03-27T11:00:00Z', false],
    ['2027-04-03T10:59:59Z', false],
    ['2027-04-03T11:00:00Z', true],
    ['2027-04-04T11:59:59Z', true],
    ['2027-04-04T12:00:00Z', undefined],
    ['2027-09-25T11:59:59Z', false],
    ['2027-09-25T12:00:00Z', true],
    ['2027-09-26T10:59:59Z', true],
    ['2027-09-26T11:00:00Z', undefined],
  ] as const) {
    const { closed } = applyClosure({ ...site, closed: closures }, new Date(time));
    expect([time, closed && (closed.begun ?? false)]).toEqual([time, begun]);
  }
});

test('a receipt promises what is true when the request was received, also on a page from before midnight', () => {
  const { answerWithin } = site;
  const once = 'once we are open again, from Monday 11 January';
  const promises = (rendered: string, ...received: string[]) =>
    received.map((time) => {
      const promise = replyPromise(at(rendered), time);
      return [promise.answerWithin, promise.note?.split('.')[0]];
    });
  const before = [
    `${answerWithin}, or when we are back on Monday 11 January`,
    'We are closed from Thursday 24 December',
  ];
  const during = [once, 'We are closed now'];
  const usual = [answerWithin, undefined];
  expect(
    promises(
      '2026-12-20T00:00:00Z',
      '2026-12-23T10:59:59.999Z',
      '2026-12-23T11:00:00.000Z',
      '2027-01-10T10:59:59.999Z',
    ),
  ).toEqual([before, during, during]);
  expect(promises('2026-12-20T00:00:00Z', '2027-01-10T11:00:00.000Z')).toEqual([usual]);
  expect(promises('2027-01-05T00:00:00Z', '2027-01-10T10:59:59.999Z', '2027-01-10T11:00:00.000Z')).toEqual([
    during,
    usual,
  ]);
  expect(promises('2027-02-01T00:00:00Z', '2027-02-01T00:01:00.000Z')).toEqual([usual]);
});

test('while the trust is closed no sentence of any page promises its hours or its answer, and the days are said in words', () => {
  const { site: words, closed } = at('2027-03-27T00:00:00Z');
  expect([words.hours, words.answerWithin]).toEqual([
    'Closed now, open again on Tuesday 30 March',
    'once we are open again, from Tuesday 30 March',
  ]);
  expect(replyPromise({ site: words, closed }, '').note).toContain('read this on Tuesday 30 March.');
  expect(at('2027-03-25T00:00:00Z').site).toBe(site);
  expect(
    applyClosure({ ...site, hours: undefined }, new Date('2027-03-27T00:00:00Z')).site.hours,
  ).toBeUndefined();
});

test("the year is New Zealand's", () => {
  expect(['2026-12-31T10:59:59Z', '2026-12-31T11:00:00Z'].map((time) => nzYear(new Date(time)))).toEqual([
    2026, 2027,
  ]);
});

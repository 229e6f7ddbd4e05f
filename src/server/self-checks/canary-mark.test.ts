import { expect, test } from 'vitest';
import { sampleEntries } from '../../../test/support/forms.ts';
import { createClock } from '../../../test/support/kept-submissions.ts';
import { testSecret } from '../../../test/support/tokens.ts';
import { unlimitedQuota } from '../submissions/quota.ts';
import { type CanaryMarks, createCanaryMarks, markHeader } from './canary-mark.ts';

const entries = sampleEntries.help;
const isCanary = (marks: CanaryMarks, mark: string | undefined, given = entries) =>
  marks.withCanaryMark(unlimitedQuota, { [markHeader]: mark }).isCanary?.('help', given) ?? false;

function prepare() {
  const clock = createClock();
  const marks = createCanaryMarks(testSecret, clock.now);
  return { clock, marks, mark: marks.markAnswers('help', entries) };
}

test('a mark holds for the answers it was made for, in whichever order they come', () => {
  const { marks, mark } = prepare();
  expect(isCanary(marks, mark, entries.toReversed())).toBe(true);
});

test('what a person wrote is no canary, whoever puts a mark on it', () => {
  const { marks, mark } = prepare();
  const theirs = [...entries.slice(0, -1), { key: 'Message', value: 'Something of mine' }];
  expect(isCanary(marks, mark, theirs)).toBe(false);
  expect(marks.withCanaryMark(unlimitedQuota, { [markHeader]: mark }).isCanary?.('contact', entries)).toBe(
    false,
  );
  expect(isCanary(marks, undefined)).toBe(false);
});

test('a mark of somebody without the secret is none', () => {
  const { marks, clock, mark } = prepare();
  const others = createCanaryMarks('another secret, and just as long as ours', clock.now);
  expect(isCanary(marks, others.markAnswers('help', entries))).toBe(false);
  for (const wrong of [
    '',
    '1',
    'a.b.c',
    mark.slice(0, -1),
    `${mark}x`,
    `${mark}, ${mark}`,
    '1.'.repeat(9_999),
  ])
    expect(isCanary(marks, wrong)).toBe(false);
  // One for looking at a page is none for sending.
  expect(isCanary(marks, marks.markPageRequest().mark)).toBe(false);
});

test('a mark is good once, and for minutes', () => {
  const { marks, mark, clock } = prepare();
  expect(isCanary(marks, mark)).toBe(true);
  expect(isCanary(marks, mark)).toBe(false);
  const stale = marks.markAnswers('help', entries);
  clock.advance(11 * 60_000);
  expect(isCanary(marks, stale)).toBe(false);
});

test('within one request it holds for each way in which the form is tried', () => {
  const { marks, mark } = prepare();
  const quota = marks.withCanaryMark(unlimitedQuota, { [markHeader]: mark });
  expect([quota.isCanary?.('help', entries), quota.isCanary?.('help', entries)]).toEqual([true, true]);
});

test('another server with the same secret knows it, also where its clock is a few minutes off', () => {
  const { mark, clock } = prepare();
  for (const ms of [-5 * 60_000, 5 * 60_000]) {
    const other = createCanaryMarks(testSecret, () => new Date(clock.now().getTime() + ms));
    expect(isCanary(other, mark)).toBe(true);
  }
});

test('a secret that servers agree on later is used, and the one before still known', () => {
  const { marks, mark, clock } = prepare();
  const shared = 'the secret that the database has for all of them';
  marks.adopt(shared);
  expect(isCanary(marks, mark)).toBe(true);
  expect(isCanary(createCanaryMarks(shared, clock.now), marks.markAnswers('help', entries))).toBe(true);
});

test('who looks with a mark hears an answer that only this site can give, and others hear none', () => {
  const { marks, clock, mark } = prepare();
  const look = marks.markPageRequest();
  expect(marks.signResponse({ [markHeader]: look.mark })).toBe(look.expectedResponse);
  const others = createCanaryMarks('another secret, and just as long as ours', clock.now);
  expect(others.signResponse({ [markHeader]: look.mark })).toBeNull();
  for (const wrong of [mark, 'anything', undefined])
    expect(marks.signResponse({ [markHeader]: wrong })).toBeNull();
});

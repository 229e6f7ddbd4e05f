import { expect, test } from 'vitest';
import { sampleEntries } from '../../../test/support/forms.ts';
import { createClock } from '../../../test/support/stored-submissions.ts';
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

test('a person’s answers are no canary, whatever mark they carry', () => {
  const { marks, mark } = prepare();
  const theirs = [...entries.slice(0, -1), { key: 'Message', value: 'Something of mine' }];
  expect(isCanary(marks, mark, theirs)).toBe(false);
  expect(marks.withCanaryMark(unlimitedQuota, { [markHeader]: mark }).isCanary?.('contact', entries)).toBe(
    false,
  );
  expect(isCanary(marks, undefined)).toBe(false);
});

test('a mark made without the secret is not valid', () => {
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

test('a mark is valid once, for minutes', () => {
  const { marks, mark, clock } = prepare();
  expect(isCanary(marks, mark)).toBe(true);
  expect(isCanary(marks, mark)).toBe(false);
  const stale = marks.markAnswers('help', entries);
  clock.advance(11 * 60_000);
  expect(isCanary(marks, stale)).toBe(false);
});

test('a mark is valid for its answers, in any order, at every check within one request', () => {
  const { marks, mark } = prepare();
  const quota = marks.withCanaryMark(unlimitedQuota, { [markHeader]: mark });
  for (const given of [entries, entries.toReversed()]) expect(quota.isCanary?.('help', given)).toBe(true);
});

test('another server with the same secret accepts the mark, also where its clock is a few minutes off', () => {
  const { mark, clock } = prepare();
  for (const ms of [-5 * 60_000, 5 * 60_000]) {
    const other = createCanaryMarks(testSecret, () => new Date(clock.now().getTime() + ms));
    expect(isCanary(other, mark)).toBe(true);
  }
});

test('a shared secret is used from then on, and marks of the former secret stay valid', () => {
  const { marks, mark, clock } = prepare();
  const shared = 'the secret that the database has for all of them';
  marks.setSecret(shared);
  expect(isCanary(marks, mark)).toBe(true);
  expect(isCanary(createCanaryMarks(shared, clock.now), marks.markAnswers('help', entries))).toBe(true);
});

test('a marked page request gets a response that only this site can sign, and others get none', () => {
  const { marks, clock, mark } = prepare();
  const look = marks.markPageRequest();
  expect(marks.signResponse({ [markHeader]: look.mark })).toBe(look.expectedResponse);
  const others = createCanaryMarks('another secret, and just as long as ours', clock.now);
  expect(others.signResponse({ [markHeader]: look.mark })).toBeNull();
  for (const wrong of [mark, 'anything', undefined])
    expect(marks.signResponse({ [markHeader]: wrong })).toBeNull();
});

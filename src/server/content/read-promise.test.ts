import { expect, test } from 'vitest';
import { readPromise } from './read-promise.ts';

test.each([
  ['within two working days', 2],
  ['within 24 hours', 1],
  ['within 48 hours', 2],
  ['in one week', 5],
  ['within a week', 5],
  ['within 10 business days', 10],
  ['within 7 days', 5],
  ['the next working day', 1],
  ['on the same day', 1],
  ['in one to three days', 3],
  ['Within Two Working Days, or call us', 2],
  ['as soon as we can', null],
  ['once we are open again', null],
  ['i roto i ngā rā e rua', null],
])('“%s” promises %s working days', (words, days) => {
  expect(readPromise(words)).toBe(days);
});

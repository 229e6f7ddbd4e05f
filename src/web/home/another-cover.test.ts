import { expect, test } from 'vitest';
import { anotherCover } from './another-cover.ts';

test('every cover but the last one may follow', () => {
  const seen = new Set(Array.from({ length: 100 }, (_, index) => anotherCover(5, 2, () => index / 100)));
  expect([...seen].toSorted()).toEqual([0, 1, 3, 4]);
});

test.each([0, 1])('of %i covers there is no other', (count) => {
  expect(anotherCover(count, 0)).toBe(0);
});

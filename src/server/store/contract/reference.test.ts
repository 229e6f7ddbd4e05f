import { expect, test } from 'vitest';
import { createReference } from './reference.ts';

test('a reference can be read over the phone', () => {
  for (let index = 0; index < 1_000; index++) {
    expect(createReference()).toMatch(/^[34679CDFHJKPQRTWXY]{4}-[34679CDFHJKPQRTWXY]{4}$/);
  }
});

test('references have no order that tells how many there were', () => {
  const drawn = Array.from({ length: 1_000 }, createReference);
  const rising = drawn.filter((reference, index) => index > 0 && reference > (drawn[index - 1] ?? '')).length;
  // Two of a thousand are the same in one of 22,000 runs.
  expect(new Set(drawn).size).toBeGreaterThan(990);
  // A counter in disguise would rise (or fall) almost always; chance alone stays in this range.
  expect(rising).toBeGreaterThan(400);
  expect(rising).toBeLessThan(600);
});

test('every letter occurs at every position', () => {
  const places = Array.from({ length: 9 }, () => new Set<string>());
  // One that is left out after so many draws is left out for good: by chance alone once in 10^22.
  for (let index = 0; index < 1_000; index++)
    for (const [place, letter] of [...createReference()].entries()) places[place]?.add(letter);
  expect(places.map((letters) => letters.size)).toEqual([18, 18, 18, 18, 1, 18, 18, 18, 18]);
});

import { expect, test } from 'vitest';
import { ownNameOf } from './tags.ts';

test.each([
  ['mi', 'Māori'],
  ['to', 'Lea fakatonga'],
  ['zh-Hans', '简体中文'],
  ['fa-AF', 'دری'],
  ['ar', 'العربية'],
  // Intl has no names in Samoan, and would give one in English.
  ['sm', ''],
  ['en-NZ-x-easy', ''],
  ['qq', ''],
])('the own name of %s is %j', (tag, name) => {
  expect(ownNameOf(tag)).toBe(name);
});

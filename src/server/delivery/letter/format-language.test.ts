import { expect, test } from 'vitest';
import { formatLanguage } from './format-language.ts';

test.each([
  ['sm', 'Samoan (sm)'],
  ['fa-AF', 'Dari (fa-AF)'],
  ['zh-Hans', 'Simplified Chinese (zh-Hans)'],
  ['en-NZ-x-easy', 'English (New Zealand), easy (en-NZ-x-easy)'],
  ['sm-x-two-parts', 'Samoan, two parts (sm-x-two-parts)'],
  // Tags without a name, and what is no tag.
  ['qqq', 'qqq'],
  ['x-own', 'x-own'],
  ['not a tag\u001b', 'not a tag␛'],
  ['', ''],
])('%j is called %s', (tag, words) => {
  expect(formatLanguage(tag)).toBe(words);
});

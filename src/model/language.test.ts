import { expect, test } from 'vitest';
import { inLanguage, type PageLanguage, prefixOf } from './language.ts';

const languages: PageLanguage[] = [
  { tag: 'en-NZ', name: 'English', prefix: '' },
  { tag: 'mi', name: 'Te reo Māori', prefix: '/mi' },
];

test('every address of the site has its place in another language, and other addresses stay', () => {
  const there = (prefix: string) =>
    ['/', '/help', '/?a', '/#top', '#top', 'https://a.example/'].map((one) => inLanguage(prefix, one));
  expect(there('')).toEqual(['/', '/help', '/?a', '/#top', '#top', 'https://a.example/']);
  expect(there('/mi')).toEqual(['/mi', '/mi/help', '/mi?a', '/mi#top', '#top', 'https://a.example/']);
});

test('a path belongs to the language whose prefix is its first part', () => {
  const paths = ['/mi', '/mi/', '/mi/help', '/', '/help', '/milk'];
  expect(paths.map((path) => prefixOf(path, languages))).toEqual(['/mi', '/mi', '/mi', '', '', '']);
});

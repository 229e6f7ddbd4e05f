import { expect, test } from 'vitest';
import { findInLibrary } from './library.ts';

const library = [
  { file: 'a', keywords: ['family'] },
  { file: 'b', keywords: ['Family  Support', 'tea'] },
  { file: 'c', keywords: ['family', 'beach'] },
];
test.each([
  ['family', ['a', 'c']],
  [' FAMILY ', ['a', 'c']],
  ['family support', ['b']],
  ['beach family', ['c']],
  ['support', ['b']],
  ['mountain', []],
  ['', []],
])('a search for %j finds %j', (query, files) => {
  expect(findInLibrary(library, query).map(({ file }) => file)).toEqual(files);
});

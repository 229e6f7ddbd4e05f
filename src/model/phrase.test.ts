import { expect, test } from 'vitest';
import { asText, fill, markWords, spans } from './phrase.ts';

test('words of another language are marked, and the rest is not', () => {
  expect(spans('{mi:Nau Mai, Haere Mai} - Coming Soon...')).toEqual([
    { text: 'Nau Mai, Haere Mai', lang: 'mi' },
    { text: ' - Coming Soon...' },
  ]);
  expect(spans('Plain')).toEqual([{ text: 'Plain' }]);
});

test('a value for a placeholder may itself have language marks', () => {
  const phrase = fill('Help from {organisation}', { organisation: '{mi:Kōwhai} Centre' });
  expect(asText(phrase)).toBe('Help from Kōwhai Centre');
  expect(spans(phrase)[1]).toEqual({ text: 'Kōwhai', lang: 'mi' });
});

test('words of the glossary are marked everywhere in a text, as whole words and in any case', () => {
  const glossary = { mi: ['tamariki', 'whānau'] };
  expect(markWords('Support for tamariki and Whānau.', glossary)).toEqual([
    { text: 'Support for ' },
    { text: 'tamariki', lang: 'mi' },
    { text: ' and ' },
    { text: 'Whānau', lang: 'mi' },
    { text: '.' },
  ]);
  for (const untouched of ['whānaungatanga', 'tamariki@trust.example', 'kiaora@tamariki.example', '']) {
    expect(markWords(untouched, glossary).filter((span) => span.lang)).toEqual([]);
  }
  expect(spans('{mi:Ngā whānau} and whānau', glossary)).toEqual([
    { text: 'Ngā whānau', lang: 'mi' },
    { text: ' and ' },
    { text: 'whānau', lang: 'mi' },
  ]);
});

test('a marked sentence may have placeholders and words of a third language in it', () => {
  const original = fill('{en-NZ:Write to {organisation} {social} about tamariki}, fa’amolemole', {
    organisation: '{mi:Kōwhai} Centre',
  });
  expect(spans(original, { mi: ['tamariki'] })).toEqual([
    { text: 'Write to ', lang: 'en-NZ' },
    { text: 'Kōwhai', lang: 'mi' },
    { text: ' Centre ', lang: 'en-NZ' },
    { text: '{social}', lang: 'en-NZ' },
    { text: ' about ', lang: 'en-NZ' },
    { text: 'tamariki', lang: 'mi' },
    { text: ', fa’amolemole' },
  ]);
  expect(asText(original)).toBe('Write to Kōwhai Centre {social} about tamariki, fa’amolemole');
});

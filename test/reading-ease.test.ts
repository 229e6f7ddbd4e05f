import { expect, test } from 'vitest';
import { readContent } from '../src/server/content/content.ts';
import { gradeOf, sentencesOf, shortenNames, wordsOf } from './support/reading-ease.ts';

/** What someone in a hard moment can read: about a twelve-year-old's level. */
const hardest = 7;
/** Below this many words the measure says nothing: 'Contact Information' would need a university. */
const fewestWords = 5;

/** The sentences the specification gives word for word. */
const given = [
  'Reach out with any questions, feedback, or support requests—our team is ready to assist you.',
];

/** Names and addresses: they are what they are. */
const names = ['organisation', 'address', 'email', 'adminEmail', 'url', 'photo', 'key', 'checked'];

function textsIn(value: unknown, key = ''): string[] {
  if (names.includes(key)) return [];
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, Array.isArray(value) ? key : name));
}

const { site, helplines, forms } = await readContent(new URL('../content', import.meta.url).pathname);
const sentences = [site, helplines, forms.help.definition, forms.contact.definition]
  .flatMap((file) => textsIn(file))
  .flatMap((text) => sentencesOf(shortenNames(text, site.otherLanguages)));

test('every sentence on the pages can be read by a twelve-year-old', () => {
  const hard = sentences
    .filter((sentence) => wordsOf(sentence).length >= fewestWords && !given.includes(sentence))
    .map((sentence) => ({ grade: Math.round(gradeOf(sentence) * 10) / 10, sentence }))
    .filter(({ grade }) => grade > hardest);
  expect(hard).toEqual([]);
});

test('the exceptions are sentences that are there, and too hard', () => {
  for (const sentence of given) {
    expect(sentences).toContain(sentence);
    expect(gradeOf(sentence), sentence).toBeGreaterThan(hardest);
  }
});

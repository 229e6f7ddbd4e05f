import { expect, test } from 'vitest';
import { findSentence, sentences } from './catalogue.ts';
import { readContent } from './content.ts';
import { defaults } from './defaults.ts';

/** The context of each text in a file of the defaults, and the text. */
function textsOf(value: unknown, context: string): [context: string, text: string][] {
  if (typeof value === 'string') return [[context, value]];
  if (Array.isArray(value)) return value.flatMap((one) => textsOf(one, context));
  return Object.entries(value ?? {}).flatMap(([name, one]) =>
    textsOf(one, `${context}.${name}`.replace(':.', ':')),
  );
}

const texts = [
  ...textsOf(defaults['site.yaml'], 'site:'),
  ...textsOf(defaults['helplines.yaml'], 'helplines:'),
];

test('the catalogue has every text of the defaults, but for addresses, numbers and keywords', () => {
  const others = texts.flatMap(([context]) => (findSentence(context) ? [] : context));
  expect([...new Set(others)]).toEqual([
    'site:language.tag',
    'site:language.name',
    'site:privacyChecked',
    'site:otherLanguages.mi',
    'site:leave.address',
    'site:pages.help.photo',
    'site:pages.contact.photo',
    'site:cover.photo',
    'site:cards.page',
    'site:cards.photo',
    'helplines:checked',
    'helplines:danger.phone',
    'helplines:lines.phone',
    'helplines:lines.chat',
    'helplines:lines.text',
    'helplines:lines.url',
  ]);
});

test('every entry of the catalogue is a sentence that there is, or one that only a trust writes', async () => {
  const found = await readContent('content');
  const contexts = [...texts.map(([context]) => context), ...found.sentences.map(({ context }) => context)];
  const used = new Set(contexts.map(findSentence));
  const unused = sentences.filter((one) => !used.has(one)).flatMap(({ at }) => at);
  expect(unused).toEqual(['site:closed.message', 'site:sectionLinks']);
});

test('the defaults have what a sentence needs', () => {
  const needing = texts.flatMap(([context, text]) => {
    const names = Object.keys(findSentence(context)?.needs ?? {});
    return names.map((name) => [context, new RegExp(`\\{(${name})\\}`).test(text)]);
  });
  expect(needing.length).toBeGreaterThan(10);
  expect(needing.filter(([, isThere]) => !isThere)).toEqual([]);
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GetTextTranslation, po } from 'gettext-parser';
import { expect, test } from 'vitest';
import { translationFiles } from '../src/cli/trust-folder/translation-files.ts';
import { trustFiles } from '../src/cli/trust-folder/trust-folder.ts';
import { readContent } from '../src/server/content/content.ts';
import { updatePo } from '../src/server/content/languages/update-po.ts';
import { gradeOf, sentencesOf, shortenNames, syllablesIn, wordsOf } from './support/reading-ease.ts';
import { temporaryFolder } from './support/temporary.ts';

/** Easy words: the example site in English that a nine-year-old can read. */
const file = 'languages/en-NZ-x-easy.po';

/** The fourth year at school: children of nine. */
const hardestSentence = 4;
/** Of the whole text. Half of what a nine-year-old can read, because a reader in a hard moment can read less. */
const hardestText = 2;
/** Below this many words one longer word would need a university. */
const fewestWords = 6;
const mostWords = 13;
/** In one word. */
const mostSyllables = 3;

/** Names and addresses: they are what they are. */
const names = /^(site:(organisation|address|social\.|shieldedText\.)|helplines:lines\.name)/;

const { languages, sentences, site } = await readContent('content');
const source = readFileSync(join('content', file), 'utf8');
const { translations, obsolete } = po.parse(source);
/** With the entries that are set aside: they are for sentences of a new trust. */
const entries = [translations, obsolete]
  .flatMap((record) => Object.values(record ?? {}).flatMap((one) => Object.values(one)))
  .filter(({ msgid }) => msgid !== '');
const wordsFor = (context: string) =>
  entries.find(({ msgctxt }) => msgctxt === context)?.msgstr[0] ?? `nothing for ${context}`;

const readable = (pick: (entry: GetTextTranslation) => string) =>
  entries
    .filter(({ msgctxt = '' }) => !names.test(msgctxt))
    .flatMap((entry) => sentencesOf(shortenNames(pick(entry), site.otherLanguages)));
const original = readable(({ msgid }) => msgid);
const easy = readable(({ msgstr }) => msgstr[0] ?? '');
const long = (texts: readonly string[]) => texts.filter((text) => wordsOf(text).length >= fewestWords);

test('Easy words is offered: checked, whole, with nothing stale and nothing wrong', () => {
  expect(languages.map(({ file }) => file)).toEqual([file]);
  expect(languages[0]).toMatchObject({
    name: 'Easy words',
    translated: sentences.length,
    stale: 0,
    missing: 0,
    notOffered: [],
    problems: [],
  });
  expect(updatePo(source, sentences).text).toBe(source);
});

test('every sentence of Easy words is short, and can be read by a nine-year-old', () => {
  expect(easy.filter((sentence) => wordsOf(sentence).length > mostWords)).toEqual([]);
  expect(long(easy).filter((sentence) => gradeOf(sentence) > hardestSentence)).toEqual([]);
  expect(easy.flatMap(wordsOf).filter((word) => syllablesIn(word) > mostSyllables)).toEqual([]);
  expect(gradeOf(...long(easy))).toBeLessThan(hardestText);
});

test('Easy words is easier than the original, and its sentences are shorter', () => {
  const meanLength = (texts: readonly string[]) => texts.flatMap(wordsOf).length / texts.length;
  expect(meanLength(easy)).toBeLessThan(meanLength(original));
  expect(gradeOf(...long(easy))).toBeLessThan(gradeOf(...long(original)) - 1);
  expect(gradeOf(...long(original))).toBeGreaterThan(hardestText);
});

test('no number of the original is lost or changed: whom to call, what to press', () => {
  const numbersIn = (text = '') => text.match(/\d+/g) ?? [];
  for (const { msgid, msgstr } of entries)
    expect(numbersIn(msgstr[0]), msgid).toEqual(expect.arrayContaining(numbersIn(msgid)));
});

test('a sentence that names a button names it by the words on it', () => {
  expect(wordsFor('site:leave.about.text')).toContain(`“${wordsFor('site:leave.label')}”`);
  expect(wordsFor('site:form.incomplete')).toContain(`“${wordsFor('site:form.optional')}”`);
  for (const name of ['message', 'withoutPhone'])
    expect(wordsFor(`site:alternativeContact.${name}`)).toContain(`“${wordsFor('site:form.send')}”`);
});

test('a new trust, with its own name and our defaults, can offer it as it is', async () => {
  const folder = temporaryFolder();
  const write = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const contentDir = join(folder, 'content');
  write(trustFiles({ name: 'A Trust', email: 'a@sample.example', phone: '', address: '1 Sample Street' }));
  write(await translationFiles(contentDir));
  const { languages: offered } = await readContent(contentDir);
  expect(offered.find((one) => one.file === file)).toMatchObject({ notOffered: [], problems: [], stale: 0 });
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { trustFiles } from '../src/cli/trust-folder/trust-folder.ts';
import { readContent } from '../src/server/content/content.ts';
import { findHardTexts, gradeOf, sentencesOf, shortenNames, wordsOf } from './support/reading-ease.ts';
import { temporaryFolder } from './support/temporary.ts';

/** What visitors read: easy for a child of eleven, in sentences that one breath holds. */
const bounds = { hardestText: 6, mostWords: 25 };
/** One sentence alone may be a year harder. */
const hardestSentence = 7;
const fewestWords = 5;

/** Names and addresses: they are what they are. */
const names = /^(site:(organisation|address|social\.|shieldedText\.)|helplines:lines\.name)/;

/** The specification gives these word for word. Section 1: the cover. Section 2: the subtitle of the contact form. */
const given = [
  'site:cover.text › {mi:Nau Mai, Haere Mai} - Our website is under construction - Coming Soon...',
  'site:pages.contact.subtitle › Reach out with any questions, feedback, or support requests—our team is ready to assist you.',
  // The name of a standard is in it.
  'page:accessibility#3 › This website is built to meet the Web Content Accessibility Guidelines (WCAG) 2.2, level AA.',
];

/** All that visitors read on a site. Each item of a list on a page of its own. */
async function readTexts(folder: string) {
  const { sentences, site } = await readContent(folder);
  return sentences
    .filter(({ context }) => !names.test(context))
    .flatMap(({ context, text }) =>
      text.split(/\n(?=- )/).map((part) => ({ context, text: part, glossary: site.otherLanguages })),
    );
}

function writeNewTrust(): string {
  const folder = temporaryFolder();
  const trust = { name: 'A Trust', email: 'a@sample.example', phone: '', address: '1 Sample Street' };
  for (const [path, text] of Object.entries(trustFiles(trust))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return join(folder, 'content');
}

type Text = Awaited<ReturnType<typeof readTexts>>[number];
const asRead = ({ text, glossary }: Text) => shortenNames(text, glossary);
const sentencesIn = (texts: readonly Text[]) =>
  texts.flatMap((one) =>
    sentencesOf(one.text).map((sentence) => ({ ...one, text: sentence, id: `${one.context} › ${sentence}` })),
  );

test.each([
  ['the example', () => 'content'],
  ['a new trust', writeNewTrust],
])('every text on the pages of %s can be read by a child of eleven', async (_whose, folder) => {
  const texts = await readTexts(folder());
  const isGiven = (text: Text) => given.some((id) => id.startsWith(`${text.context} › `));
  const checked = texts.filter((text) => !isGiven(text));
  expect(checked.length).toBeGreaterThan(150);
  const named = checked.map((one) => ({ name: one.context, text: asRead(one) }));
  expect(findHardTexts(named, bounds)).toEqual([]);
  const hard = sentencesIn(texts)
    .filter((one) => wordsOf(asRead(one)).length >= fewestWords && !given.includes(one.id))
    .filter(
      (one) => gradeOf(asRead(one)) > hardestSentence || wordsOf(asRead(one)).length > bounds.mostWords,
    );
  expect(hard.map(({ id }) => id)).toEqual([]);
});

test('the exceptions are sentences that are there, and too hard', async () => {
  const sentences = sentencesIn(await readTexts('content'));
  for (const id of given) {
    const sentence = sentences.find((one) => one.id === id) ?? expect.unreachable(id);
    expect(gradeOf(asRead(sentence)), id).toBeGreaterThan(bounds.hardestText);
  }
});

test('what is too hard is named with its worst sentence', () => {
  const text = 'It is here. Organisational accessibility considerations necessitate documentation.';
  const [found] = findHardTexts([{ name: 'sample', text }], bounds);
  expect(found).toMatch(/^sample: \d+\.\d, 5 words: Organisational/);
  const long = Array.from({ length: 26 }, () => 'it').join(' ');
  expect(findHardTexts([{ name: 'sample', text: long }], bounds)).toHaveLength(1);
});

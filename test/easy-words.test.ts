import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type GetTextTranslation, po } from 'gettext-parser';
import { expect, test } from 'vitest';
import { translationFiles } from '../src/cli/trust-folder/translation-files.ts';
import { trustFiles } from '../src/cli/trust-folder/trust-folder.ts';
import { readContent } from '../src/server/content/content.ts';
import { hashOf, readConfirmedShipped } from '../src/server/content/languages/shipped-languages.ts';
import { updatePo } from '../src/server/content/languages/update-po.ts';
import { confirmLanguages } from './support/pseudo-language.ts';
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

test('Easy words is offered: confirmed by us, whole, with nothing stale and nothing wrong', () => {
  expect(languages.map(({ file }) => file)).toEqual([file]);
  expect(languages[0]).toMatchObject({
    name: 'Easy words',
    checked: { by: 'the Āwhina project' },
    unconfirmed: 0,
    isWithdrawn: false,
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
  expect(wordsFor('site:form.more')).toContain(`(${wordsFor('site:form.optional')})`);
  for (const name of ['message', 'withoutPhone'])
    expect(wordsFor(`site:alternativeContact.${name}`)).toContain(`“${wordsFor('site:form.send')}”`);
});

test('the product has read its own file as it is', () => {
  // After a change: somebody else reads the file, and their name, the day and this hash go into shipped-languages.ts.
  expect(readConfirmedShipped('en-NZ-x-easy.po'), hashOf(source)).not.toBeNull();
  expect(readConfirmedShipped('fr.po')).toBeNull();
});

/** The folder of a new trust. */
async function makeTrust() {
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
  const path = join(contentDir, file);
  return {
    contentDir,
    edit: (change: (text: string) => string) => {
      const before = readFileSync(path, 'utf8');
      writeFileSync(path, change(before));
      expect(readFileSync(path, 'utf8')).not.toBe(before);
    },
    async read() {
      const content = await readContent(contentDir);
      const easy = content.languages.find((one) => one.file === file);
      return easy ?? expect.unreachable('Easy words is there');
    },
  };
}

test('a new trust, with its own name and our defaults, can offer it as it is', async () => {
  const { read } = await makeTrust();
  expect(await read()).toMatchObject({ notOffered: [], problems: [], stale: 0, unconfirmed: 0 });
});

/** As version 1.1 left it: the file says itself who checked it. */
const checkedInFile = (text: string) =>
  text.replace(
    '"X-Name: ',
    '"X-Checked-By: the Āwhina project\\n"\n"X-Checked-On: 2026-11-18\\n"\n"X-Name: ',
  );

test('a trust that upgrades keeps Easy words, also where our own words have changed since', async () => {
  const { edit, read } = await makeTrust();
  edit((text) =>
    checkedInFile(text)
      .replace('msgid "We use it to help you and to answer you."', 'msgid "We use it to help you."')
      .replace('msgstr "Call {number}"', 'msgstr "Ring {number}"'),
  );
  const { content, ...easy } = await read();
  expect(easy).toMatchObject({ notOffered: [], isWithdrawn: false, unconfirmed: 1 });
  expect(content?.site.privacy.why).toBe('We use what you write to help you and to answer you.');
  expect(content?.helplines.call).toBe('Call {number}');
});

test('words of a trust’s own that nobody has confirmed are not shown, and where they are vital Easy words is withdrawn', async () => {
  const { edit, read, contentDir } = await makeTrust();
  const yaml = readFileSync('content/forms/help.yaml', 'utf8');
  mkdirSync(join(contentDir, 'forms'), { recursive: true });
  writeFileSync(join(contentDir, 'forms/help.yaml'), yaml.replace('label: Text message', 'label: Txt'));
  edit((text) => checkedInFile(text).replace('msgid "Text message"', 'msgid "Txt"'));
  const before = await read();
  expect(before.isWithdrawn).toBe(true);
  expect(before.notOffered).toEqual([
    expect.stringMatching(/^1 of .* are not confirmed: awhina languages confirm en-NZ-x-easy --by NAME$/),
  ]);
  await confirmLanguages(contentDir, 'en-NZ-x-easy');
  expect((await read()).notOffered).toEqual([]);
});

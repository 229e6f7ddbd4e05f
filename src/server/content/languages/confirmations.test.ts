import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyContent } from '../../../../test/support/content-mistakes.ts';
import { confirmLanguages, mirror, writePseudoLanguage } from '../../../../test/support/pseudo-language.ts';
import { readContent } from '../content.ts';
import type { Sentence } from './sentences.ts';

/** The only language of the folder. */
async function readOnly(folder: string) {
  const [language] = (await readContent(folder)).languages;
  return language ?? expect.unreachable('there is a language');
}

const at = (context: string, words: string) => ({
  change: (sentence: Sentence, translation: string) => ({
    translation: sentence.context === context ? words : translation,
  }),
});

test('words that nobody has confirmed are in no language that is offered', async () => {
  const folder = await copyContent();
  await writePseudoLanguage(folder, 'ar-XB', { isConfirmed: false });
  const unread = await readOnly(folder);
  expect(unread).toMatchObject({ checked: null, isWithdrawn: false });
  expect(unread.notOffered).toEqual(['nobody has confirmed it: awhina languages confirm ar-XB --by NAME']);
  // Whoever checks it sees its words.
  expect(unread.content?.site.form.send).toBe(mirror('Send Request'));

  await confirmLanguages(folder, 'ar-XB');
  expect((await readOnly(folder)).notOffered).toEqual([]);
  await writePseudoLanguage(folder, 'ar-XB', { ...at('site:form.send', 'جديد'), isConfirmed: false });
  const changed = await readOnly(folder);
  expect(changed).toMatchObject({ notOffered: [], unconfirmed: 1 });
  expect(changed.content?.site.form.send).toBe('{en-NZ:Send Request}');

  const vital = { ...at('helplines:danger.message', 'لا 111'), isConfirmed: false } as const;
  await writePseudoLanguage(folder, 'ar-XB', vital);
  const withdrawn = await readOnly(folder);
  expect(withdrawn.isWithdrawn).toBe(true);
  expect(withdrawn.notOffered).toEqual([
    expect.stringMatching(
      /^1 of \d+ sentences .* are not confirmed: awhina languages confirm ar-XB --by NAME$/,
    ),
  ]);
});

test('the name of a language is confirmed too', async () => {
  const folder = await copyContent();
  await writePseudoLanguage(folder, 'ar-XB');
  await writePseudoLanguage(folder, 'ar-XB', { head: { 'X-Name': 'English' }, isConfirmed: false });
  expect((await readOnly(folder)).notOffered).toEqual([
    expect.stringContaining('its own name, X-Name, is not confirmed'),
  ]);
});

test('a file of version 1.1 that says itself who checked it is withdrawn, and so is one that is gone or damaged', async () => {
  const folder = await copyContent();
  const head = { 'X-Checked-By': 'A. Speaker', 'X-Checked-On': '2026-11-01' };
  await writePseudoLanguage(folder, 'ar-XB', { head, isConfirmed: false });
  expect(await readOnly(folder)).toMatchObject({ checked: null, isWithdrawn: true });
  await confirmLanguages(folder, 'ar-XB');
  expect(await readOnly(folder)).toMatchObject({ isWithdrawn: false, notOffered: [] });
  writeFileSync(join(folder, 'languages/ar-XB.po'), 'msgid "never ends');
  expect(await readOnly(folder)).toMatchObject({ isWithdrawn: true, content: null });
  rmSync(join(folder, 'languages/ar-XB.po'));
  expect(await readOnly(folder)).toMatchObject({
    isWithdrawn: true,
    notOffered: [expect.stringContaining('is gone: put it back, or delete the lines of ar-XB')],
  });
});

test('a list of confirmations that is damaged withdraws what it confirmed, and says its line', async () => {
  const folder = await copyContent();
  await writePseudoLanguage(folder, 'ar-XB');
  writeFileSync(join(folder, 'languages/confirmed.yaml'), 'ar-XB:\n  by: 1\n');
  expect((await readContent(folder)).languageProblems[0]).toMatchObject({
    file: 'languages/confirmed.yaml',
  });
  expect(await readOnly(folder)).toMatchObject({ isWithdrawn: true });
});

/** A confirmed language, and then a change of the trust's own words. */
async function readAfter(change: (folder: string) => void) {
  const folder = await copyContent();
  await writePseudoLanguage(folder, 'ar-XB');
  change(folder);
  return readOnly(folder);
}

function replaceIn(folder: string, file: string, was: string, became: string) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(was);
  writeFileSync(path, text.replace(was, became));
}

test('a new page in the menu does not take a language off the site: its name is in the original', async () => {
  const { notOffered, content } = await readAfter((folder) => {
    mkdirSync(join(folder, 'pages'));
    writeFileSync(join(folder, 'pages/about-us.md'), '---\ntitle: About us\nmenu: true\n---\nWords\n');
  });
  expect(notOffered).toEqual([]);
  expect(content?.ownPages.find(({ name }) => name === 'about-us')?.menuLabel).toBe('{en-NZ:About us}');
});

test('a renamed choice does not take a language off the site: its label is in the original', async () => {
  const { notOffered, content } = await readAfter((folder) =>
    replaceIn(folder, 'forms/help.yaml', '- Counselling', '- Talking it over'),
  );
  expect(notOffered).toEqual([]);
  const field = content?.forms.help.definition.find(({ key }) => key === 'SupportNeeded');
  expect(field?.type === 'checkbox' && field.choiceLabels).toContain('{en-NZ:Talking it over}');
});

test.each([
  ['a safe way', 'forms/help.yaml', 'label: Text message', 'label: A text'],
  ['how calling is safe', 'forms/help.yaml', 'label: Do not leave a message', 'label: No voicemail'],
  ['a helpline', 'helplines.yaml', 'For women and children', 'For women and their children'],
])('other words about %s withdraw it', async (_what, file, was, became) => {
  const { notOffered, isWithdrawn } = await readAfter((folder) => replaceIn(folder, file, was, became));
  expect(notOffered).toEqual([expect.stringMatching(/^1 of \d+ sentences about danger, /)]);
  expect(isWithdrawn).toBe(true);
});

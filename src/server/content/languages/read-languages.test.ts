import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyContent } from '../../../../test/support/content-mistakes.ts';
import { composePo, mirror, writePseudoLanguage } from '../../../../test/support/pseudo-language.ts';
import { asText } from '../../../model/phrase.ts';
import { describeProblem, readContent } from '../content.ts';
import type { Sentence } from './sentences.ts';

/** The language of the only file, in a copy of the example's content without its own languages. */
async function readOnly(folder: string) {
  const { languages, ...content } = await readContent(folder);
  const [language] = languages;
  if (!language) throw new Error('There is no language');
  return { ...language, original: content };
}

async function readMirrored(
  options: Parameters<typeof writePseudoLanguage>[2] = {},
  prepare?: (folder: string) => void,
) {
  const folder = await copyContent();
  prepare?.(folder);
  await writePseudoLanguage(folder, 'ar-XB', options);
  return readOnly(folder);
}

const at = (context: string, words: string) => ({
  change: (sentence: Sentence, translation: string) => ({
    translation: sentence.context === context ? words : translation,
  }),
});

test('a language that was confirmed and is whole is offered, with everything that visitors read', async () => {
  const { notOffered, problems, content, original, missing, stale, checked, ...file } = await readMirrored();
  expect({ notOffered, problems, missing, stale }).toEqual({
    notOffered: [],
    problems: [],
    missing: 0,
    stale: 0,
  });
  expect(file).toMatchObject({ tag: 'ar-XB', name: 'العربية', translated: original.sentences.length });
  expect(checked).toMatchObject({ by: 'A. Speaker' });
  expect(content?.language).toEqual({ tag: 'ar-XB', name: 'العربية', dir: 'rtl', prefix: '/ar-xb' });
  expect(content?.site.form.send).toBe(mirror(original.site.form.send));
  expect(content?.site.privacy.short).toContain('{deleted}');
  expect(content?.helplines.lines[0]?.phone).toBe(original.helplines.lines[0]?.phone);
  expect(content?.site.email).toBe(original.site.email);
  expect(content?.site.cards[0]?.photo).toBe('family support');
  expect(Object.keys(content?.pictureTexts ?? {})).toHaveLength(original.pictures.length);
});

test('a choice is posted in the words of the original, and shown in those of the language', async () => {
  const { content, original } = await readMirrored();
  const field = content?.forms.help.definition.find(({ key }) => key === 'SafeContact');
  const first = original.forms.help.definition.find(({ key }) => key === 'SafeContact');
  if (field?.type !== 'checkbox' || first?.type !== 'checkbox') throw new Error('expected checkboxes');
  expect(field.choices).toEqual(first.choices);
  expect(field.choiceLabels).toEqual(first.choices.map(mirror));
  expect(field.meanings).toEqual(first.meanings);
});

test.each([
  ['the name of the language', { 'X-Name': '' }, 'does not say what the language calls itself'],
  ['a name that fits the row', { 'X-Name': 'x'.repeat(41) }, 'has an X-Name that cannot be shown'],
  ['a name without a number to call', { 'X-Name': 'Call 911' }, 'has an X-Name that cannot be shown'],
  ['a name without a number in signs', { 'X-Name': '中文 九一一' }, 'has an X-Name that cannot be shown'],
  ['a name without a number in circles', { 'X-Name': 'Call ❾❶❶' }, 'has an X-Name that cannot be shown'],
  ['a name without an address', { 'X-Name': 'evil.test' }, 'has an X-Name that cannot be shown'],
  ['a name without hidden signs', { 'X-Name': '\u202exyz' }, 'has an X-Name that cannot be shown'],
  ['its tag', { Language: 'fr' }, 'does not say Language: ar-XB'],
])('a head without %s: not offered, and readable for whoever checks it', async (_what, head, why) => {
  const { notOffered, problems, content } = await readMirrored({ head });
  expect(notOffered).toEqual([expect.stringContaining(`its head ${why}`)]);
  expect(problems.map((one) => describeProblem(one))).toEqual([
    expect.stringContaining(`languages/ar-XB.po:1  ${why}`),
  ]);
  expect(content).not.toBeNull();
});

test.each([
  ['help:SafeContact.displayName'],
  ['help:Phone.displayName'],
  ['help:CallTimes.description'],
  ['site:form.receipt.help.heading'],
  ['site:privacy.what'],
  ['helplines:danger.silent'],
])('a vital sentence without a translation: not offered (%s)', async (context) => {
  const { notOffered, missing } = await readMirrored({
    change: (sentence, translation) => (sentence.context === context ? null : { translation }),
  });
  expect(missing).toBe(1);
  expect(notOffered).toEqual([expect.stringMatching(/^1 of \d+ sentences .* have no translation$/)]);
});

test.each([
  ['helplines:danger.message', 1],
  ['site:form.send', 0],
])('a sentence that the original has changed since is not used: %s, %i reasons', async (changed, reasons) => {
  const { notOffered, stale, missing, content, original } = await readMirrored({
    change: ({ context }, translation) =>
      context === changed ? { text: 'Earlier words 111', translation } : { translation },
  });
  expect({ stale, missing }).toEqual({ stale: 1, missing: 0 });
  expect(notOffered).toHaveLength(reasons);
  for (const why of notOffered) expect(why).toMatch(/^1 of .* have changed since they were translated: /);
  const { site, helplines } = original;
  expect([content?.site.form.send, content?.helplines.danger.message]).toContain(
    `{en-NZ:${reasons ? helplines.danger.message : site.form.send}}`,
  );
});

test('a sentence elsewhere without a translation is the original’s, marked with its language', async () => {
  const left = [
    'site:cover.text',
    'contact:Subject.displayName',
    'site:promises#2',
    'photos:family-hills.svg',
  ];
  const { notOffered, content, missing, original } = await readMirrored({
    change: ({ context }, translation) => (left.includes(context) ? null : { translation }),
  });
  expect(notOffered).toEqual([]);
  expect(missing).toBe(left.length);
  expect(content?.site.cover.text).toBe(
    '{en-NZ:{mi:Nau Mai, Haere Mai}} - {en-NZ:Our website is under construction} - {en-NZ:Coming Soon...}',
  );
  expect(asText(content?.site.cover.text ?? '')).toBe(asText(original.site.cover.text));
  expect(content?.forms.contact.definition.find(({ key }) => key === 'Subject')?.displayName).toBe(
    '{en-NZ:Subject}',
  );
});

test('a paragraph that moved keeps its translation, and so does a choice', async () => {
  const folder = await copyContent();
  const path = join(folder, 'forms/help.yaml');
  await writePseudoLanguage(folder, 'ar-XB');
  const yaml = await readFile(path, 'utf8');
  writeFileSync(
    path,
    yaml
      .replace('    - Counselling\n', '')
      .replace('    - Someone to talk to\n', '    - Counselling\n    - Someone to talk to\n'),
  );
  const { notOffered, content } = await readOnly(folder);
  expect(notOffered).toEqual([]);
  const field = content?.forms.help.definition.find(({ key }) => key === 'SupportNeeded');
  expect(field).toMatchObject({ choices: expect.arrayContaining(['Counselling']) });
  expect(field?.type === 'checkbox' && field.choiceLabels?.[1]).toBe(mirror('Counselling'));
});

test.each([
  ['a placeholder is lost', 'site:privacy.kept', 'بعد أيام', 'lacks {deleted}'],
  [
    'a placeholder is invented',
    'site:form.send',
    'أرسل {email}',
    'has {email}, which the original does not have',
  ],
  ['a placeholder names another', 'site:form.required', '{choice} مطلوب', 'lacks {question}'],
  ['a mark is broken', 'site:form.send', '{mi:Tukua', 'has a mark that is not whole'],
  ['a mark has no words', 'site:form.send', 'أرسل {mi:}', 'has a mark that is not whole'],
  ['there is HTML', 'site:form.send', '<b>أرسل</b>', 'has HTML'],
  ['there is a control character', 'site:form.send', 'أرسل\u0007', 'has a sign that cannot be seen'],
  ['the direction is overridden', 'site:form.send', '\u202eأرسل', 'has a sign that cannot be seen'],
  ['it has words of the example', 'site:form.send', 'أرسل إلى x@kowhai.example', 'which is the example'],
  [
    'a number to call is another',
    'helplines:danger.message',
    'اتصل 911',
    'lacks 111, which the original has',
  ],
  ['it is very long', 'site:form.send', 'أ'.repeat(2_000), 'is much longer than the original'],
])('where %s, the translation is not used, and its line is named', async (_what, context, words, message) => {
  const { problems, notOffered, content } = await readMirrored(at(context, words));
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toContain(message);
  expect(problems[0]?.line).toBeGreaterThan(10);
  expect(notOffered).toHaveLength(/helplines|privacy/.test(context) ? 1 : 0);
  expect(JSON.stringify(content)).not.toContain(words);
});

test('two choices with the same words, and a choice without words, are named', async () => {
  const twice = await readMirrored(at('help:SupportNeeded.choices#5', mirror('Counselling')));
  expect(twice.problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('has the same words as another choice'),
  ]);
  expect(twice.notOffered).toEqual([]);
  const empty = await readMirrored(at('help:SupportNeeded.choices#5', ''));
  expect(empty.problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('is a choice without words'),
  ]);
  expect(empty.notOffered).toEqual([]);
});

test('an own page is translated block by block, and a block without a translation is marked', async () => {
  const prepare = (folder: string) => {
    mkdirSync(join(folder, 'pages'));
    const text = '# Who we are\n\nWe are **six** people. [Ask us](/help)\n\n- one\n- two\n';
    writeFileSync(join(folder, 'pages/about-us.md'), `---\ntitle: About us\nmenu: true\n---\n${text}`);
  };
  const options = {
    change: ({ context }: Sentence, translation: string) =>
      context === 'page:about-us#3' ? null : { translation },
  };
  const { notOffered, content } = await readMirrored(options, prepare);
  expect(notOffered).toEqual([]);
  const [page] = content?.ownPages ?? [];
  expect(page).toMatchObject({ name: 'about-us', title: mirror('About us'), menuLabel: mirror('About us') });
  expect(page?.article.map(({ kind, lang }) => [kind, lang])).toEqual([
    ['heading', undefined],
    ['paragraph', undefined],
    ['list', 'en-NZ'],
  ]);
});

test.each([
  ['another link', 'نحن [x](https://elsewhere.test)', 'has https://elsewhere.test, an address'],
  ['another page', 'نحن [x](/contact)', 'has other links'],
  ['two paragraphs', 'نحن\n\nهنا [x](/help)', 'is not one piece'],
])('a block with %s is not used', async (_what, words, message) => {
  const { problems } = await readMirrored(at('page:about-us#1', words), (folder) => {
    mkdirSync(join(folder, 'pages'));
    writeFileSync(join(folder, 'pages/about-us.md'), '---\ntitle: About us\n---\n[Ask us](/help)\n');
  });
  expect(problems.map((one) => one.message)).toEqual([expect.stringContaining(message)]);
});

test('a name that is no tag, the tag of the original, and the name of a page are refused', async () => {
  for (const name of ['maori', 'MI', 'zh_Hans', 'en-NZ', 'help', 'src', 'ab']) {
    const folder = await copyContent();
    const { sentences } = await readContent(folder);
    mkdirSync(join(folder, 'languages'), { recursive: true });
    mkdirSync(join(folder, 'pages'));
    writeFileSync(join(folder, 'pages/ab.md'), '---\ntitle: A page\n---\nWords\n');
    writeFileSync(join(folder, 'languages', `${name}.po`), composePo(name, sentences, mirror));
    const { content, notOffered } = await readOnly(folder);
    expect(content, name).toBeNull();
    expect(notOffered[0], name).toContain('its head belongs to a file whose name is');
  }
});

test('a number to call may be written in the digits of the language', async () => {
  const { problems } = await readMirrored(at('helplines:danger.message', 'اتصل ١١١'));
  expect(problems).toEqual([]);
});

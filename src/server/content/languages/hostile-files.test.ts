import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyContent } from '../../../../test/support/content-mistakes.ts';
import { composePo, mirror, writePseudoLanguage } from '../../../../test/support/pseudo-language.ts';
import { readContent } from '../content.ts';
import { parsePo } from './read-po.ts';

/** The content with these bytes as its only translation. */
async function readWith(bytes: string | Uint8Array) {
  const folder = await copyContent();
  mkdirSync(join(folder, 'languages'), { recursive: true });
  writeFileSync(join(folder, 'languages/mi.po'), bytes);
  const { languages } = await readContent(folder);
  return languages.find(({ tag }) => tag === 'mi');
}

const head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n';

test.each<[string, string | Uint8Array, RegExp]>([
  ['bytes that are no UTF-8', Buffer.from([0x6d, 0x73, 0xff, 0xfe, 0x00]), /is not in UTF-8/],
  ['UTF-16', Buffer.from(head, 'utf16le'), /cannot be read|is not in UTF-8/],
  ['a head that names another encoding', head.replace('UTF-8', 'ISO-8859-1'), /is not in UTF-8/],
  ['a word that PO does not know', `${head}msgtext "x"\n`, /cannot be read as a PO file: .*line 5/],
  ['a quote that never ends', `${head}msgid "x\nmsgstr "y"\n`, /cannot be read as a PO file/],
  [
    'the same sentence twice',
    `${head}msgid "x"\nmsgstr "y"\n\nmsgid "x"\nmsgstr "z"\n`,
    /cannot be read.*Duplicate/,
  ],
  ['a web page', '<!doctype html><p>Log in</p>', /cannot be read as a PO file/],
])('%s: a problem of that file, and the content is read', async (_what, bytes, message) => {
  const language = await readWith(bytes);
  expect(language).toMatchObject({ content: null, notOffered: [expect.stringMatching(message)] });
  expect(language?.problems[0]?.message).toMatch(message);
});

test.each([
  '',
  '\n',
  head,
  '#',
  'msgctxt "x"',
  `${head}msgctxt "__proto__"\nmsgid "constructor"\nmsgstr "x"\n`,
])('a file without translations is not offered: %j', async (source) => {
  const language = await readWith(source);
  expect(language?.translated).toBe(0);
  expect(language?.notOffered).not.toEqual([]);
});

test('no more than a part of a file of 100 MB is read', async () => {
  const folder = await copyContent();
  mkdirSync(join(folder, 'languages'), { recursive: true });
  const path = join(folder, 'languages/mi.po');
  writeFileSync(path, head);
  truncateSync(path, 100_000_000);
  const { languages } = await readContent(folder);
  expect(languages.find(({ tag }) => tag === 'mi')?.notOffered).toEqual([
    'the file is larger than 500 kB: is it the right file?',
  ]);
});

test('of 500 files a part is read, and the rest is named as too many', async () => {
  const folder = await copyContent();
  const { sentences } = await readContent(folder);
  mkdirSync(join(folder, 'languages'), { recursive: true });
  const po = composePo('mi', sentences.slice(0, 5), mirror);
  for (let n = 0; n < 500; n++)
    writeFileSync(join(folder, 'languages', `q${String(n).padStart(3, '0')}.po`), po);
  const { languages, languageProblems } = await readContent(folder);
  expect(languages.length).toBeLessThan(50);
  expect(languageProblems.map(({ message }) => message)).toEqual([expect.stringContaining('only the first')]);
});

test('a folder, a dangling link and copies of editors in the place of files do no harm', async () => {
  const folder = await copyContent();
  mkdirSync(join(folder, 'languages/sm.po'), { recursive: true });
  await symlink('nowhere', join(folder, 'languages/to.po'));
  writeFileSync(join(folder, 'languages/.mi.po.swp'), 'x');
  writeFileSync(join(folder, 'languages/mi.mo'), 'x');
  writeFileSync(join(folder, 'languages/mi.po~'), 'x');
  const { languages } = await readContent(folder);
  expect(languages.filter(({ content }) => !content).map(({ tag }) => tag)).toEqual(['sm', 'to']);
});

test('contexts, marks and line ends of other programs are read', () => {
  const source = `\uFEFF${head}#. A note\n#, fuzzy\n#| msgid "old"\nmsgctxt "site:form.send"\nmsgid "Send "\n"Request"\nmsgstr "Tukua"\n`;
  const read = parsePo(Buffer.from(source.replaceAll('\n', '\r\n')), 'languages/mi.po');
  expect(read).toMatchObject({
    ok: true,
    value: {
      entries: [
        { context: 'site:form.send', original: 'Send Request', translation: 'Tukua', isFuzzy: true, line: 8 },
      ],
    },
  });
});

test.each([
  ['a long word before an @ that never comes', 'a'.repeat(400_000)],
  ['marks within marks', `${'{mi:a'.repeat(60_000)}${'}'.repeat(60_000)}`],
])('%s is refused for its length, and at once', async (_what, words) => {
  const folder = await copyContent();
  await writePseudoLanguage(folder, 'ar-XB', {
    change: ({ context }, translation) => ({
      translation: context === 'site:form.send' ? words : translation,
    }),
  });
  const { languages } = await readContent(folder);
  expect(languages[0]?.problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('is much longer than the original'),
  ]);
});

test('a folder of languages that cannot be read is a problem, and none at all is not', async () => {
  const folder = await copyContent();
  writeFileSync(join(folder, 'languages'), 'a file');
  expect((await readContent(folder)).languageProblems).toEqual([
    { file: 'languages', line: null, message: 'could not be read (ENOTDIR)' },
  ]);
  rmSync(join(folder, 'languages'));
  expect((await readContent(folder)).languageProblems).toEqual([]);
});

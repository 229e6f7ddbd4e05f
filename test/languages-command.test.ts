import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContent } from '../src/server/content/content.ts';
import { nzDay } from '../src/server/time/nz-time.ts';
import { awhinaShared } from './support/command.ts';
import { accent, composePo, confirmLanguages, writePseudoLanguage } from './support/pseudo-language.ts';
import { temporaryFolder } from './support/temporary.ts';

/** A site with few words of its own, and no translation. */
function makeContent(): string {
  const folder = join(temporaryFolder(), 'content');
  mkdirSync(folder);
  writeSite(folder);
  return folder;
}

const writeSite = (folder: string, more = '') =>
  writeFileSync(
    join(folder, 'site.yaml'),
    `organisation: Sample Trust\nemail: kiaora@sample.example\naddress: 1 Example Street\n${more}`,
  );

const languages = (contentDir: string, ...args: string[]) =>
  awhinaShared(['languages', ...args], { CONTENT_DIR: contentDir });
const pathOf = (folder: string, tag: string) => join(folder, `languages/${tag}.po`);
const read = (folder: string, tag: string) => readFileSync(pathOf(folder, tag), 'utf8');

test('a language is begun with a file of all sentences, which the server may read and a second add leaves alone', async () => {
  const folder = makeContent();
  expect((await languages(folder)).out).toBe(
    'The site is in one language. To begin a translation: awhina languages add mi\n',
  );
  const { code, out, err } = await languages(folder, 'add', 'to');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const { sentences } = await readContent(folder);
  expect(out).toContain(`${sentences.length} sentences to put into Tongan (Lea fakatonga).`);
  expect(statSync(pathOf(folder, 'to')).mode & 0o777).toBe(0o644);
  expect(statSync(join(folder, 'languages')).mode & 0o777).toBe(0o755);
  const file = read(folder, 'to');
  expect(file.match(/^msgid /gm)).toHaveLength(sentences.length + 1);
  expect(file).toContain('"X-Name: Lea fakatonga\\n"');
  const again = await languages(folder, 'add', 'to');
  expect(again).toMatchObject({
    code: 1,
    err: expect.stringContaining('is there already, and stays as it is'),
  });
  expect(read(folder, 'to')).toBe(file);
  expect(await languages(folder, 'update')).toMatchObject({ code: 0, out: 'to: up to date\n' });
  expect(read(folder, 'to')).toBe(file);
});

test.each([
  ['maori', 2, 'maori is not the tag of a language'],
  ['../x', 2, 'is not the tag of a language'],
  ['zh_hans', 2, 'The tag is written zh-Hans: awhina languages add zh-Hans'],
  ['tl', 2, 'The tag is written fil'],
  ['en-NZ', 1, 'en-NZ is the language of the site itself.'],
  ['ab', 1, '/ab is the address of something else on this site.'],
])('add %s is refused', async (tag, code, message) => {
  const folder = makeContent();
  mkdirSync(join(folder, 'pages'));
  writeFileSync(join(folder, 'pages/ab.md'), '---\ntitle: A page\n---\nWords\n');
  expect(await languages(folder, 'add', tag)).toMatchObject({ code, err: expect.stringContaining(message) });
  expect(existsSync(join(folder, 'languages'))).toBe(false);
});

test('a language whose own name is not known, or a tag that nobody has, is begun with a hint', async () => {
  const folder = makeContent();
  const samoan = await languages(folder, 'add', 'sm');
  expect(samoan.out).toContain('sentences to put into Samoan.');
  expect(samoan.err).toBe('\nAt X-Name in its head, write what the language calls itself: we do not know.\n');
  expect(read(folder, 'sm')).toContain('"X-Name: \\n"');
  expect((await languages(folder, 'add', 'qq')).err).toContain('We know no language with the tag qq.');
});

test('the list says how far each language is, and why one is not offered', async () => {
  const folder = makeContent();
  await writePseudoLanguage(folder, 'en-XA');
  await writePseudoLanguage(folder, 'ar-XB', {
    isConfirmed: false,
    change: ({ context }, translation) => {
      if (context === 'site:privacy.why') return { translation, text: 'Why' };
      return context === 'helplines:danger.silent' ? null : { translation };
    },
  });
  const { out, err, code } = await languages(folder);
  const { sentences } = await readContent(folder);
  const needed = sentences.filter(({ isNeeded }) => isNeeded).length;
  expect(code).toBe(0);
  expect(out).toBe(`LANGUAGE  OWN NAME  TRANSLATED  STALE  MISSING  CHECKED                 OFFERED
ar-XB     العربية   ${sentences.length - 2}         1      1        –                       no
en-XA     Åççéñţš   ${sentences.length}         0      0        ${nzDay(new Date())}, A. Speaker  yes

ar-XB is not offered to visitors:
  1 of ${needed} sentences about danger, safe contact, privacy and the receipt have no translation
  1 of ${needed} sentences about danger, safe contact, privacy and the receipt have changed since they were translated: awhina languages update ar-XB
  nobody has confirmed it: awhina languages confirm ar-XB --by NAME
`);
  expect(err).toContain('awhina languages update shows translators which.');
  const json = JSON.parse((await languages(folder, '--json')).out);
  expect(json).toMatchObject([
    { tag: 'ar-XB', file: 'languages/ar-XB.po', offered: false, stale: 1, missing: 1, checked: null },
    { tag: 'en-XA', offered: true, notOffered: [], checked: { by: 'A. Speaker' } },
  ]);
});

test('update takes up what changed on the site, and brings a language back once a translator confirmed it', async () => {
  const folder = makeContent();
  await writePseudoLanguage(folder, 'en-XA');
  await languages(folder, 'add', 'mi');
  await languages(folder, 'update');
  chmodSync(pathOf(folder, 'en-XA'), 0o640);
  const offered = async () => JSON.parse((await languages(folder, '--json')).out)[0].offered;
  expect(await offered()).toBe(true);

  writeSite(
    folder,
    'hours: Mondays\nprivacy:\n  why: We use it to help you.\npromises: [Our help is free.]\n',
  );
  expect(await offered()).toBe(false);
  const { code, out, err } = await languages(folder, 'update', 'en-XA');
  expect({ code, out }).toEqual({ code: 0, out: 'en-XA: 2 new, 1 changed, 1 set aside\n' });
  expect(err).toContain('the mark fuzzy ("Needs work" in Poedit)');
  expect(statSync(pathOf(folder, 'en-XA')).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(folder, 'languages'))).toEqual(['confirmed.yaml', 'en-XA.po', 'mi.po']);
  const file = read(folder, 'en-XA');
  expect(file).toContain(
    '#, fuzzy\n#| msgid "We use it to help you and to answer you."\nmsgctxt "site:privacy.why"\n',
  );
  expect(await offered()).toBe(false);

  const confirmed = file
    .replace('#, fuzzy\n#| msgid "We use it to help you and to answer you."\n', '')
    .replace('msgid "Mondays"\nmsgstr ""', 'msgid "Mondays"\nmsgstr "M"');
  writeFileSync(pathOf(folder, 'en-XA'), confirmed);
  expect(await offered()).toBe(false);
  await confirmLanguages(folder, 'en-XA');
  expect(await offered()).toBe(true);
  // The trust takes its words back.
  writeSite(folder);
  expect((await languages(folder, 'update')).out).toBe(
    'en-XA: 1 back with its translation, 2 set aside\nmi: up to date\n',
  );
  expect(await offered()).toBe(true);
});

test('update names a file that is broken and leaves it as it is, and updates the others', async () => {
  const folder = makeContent();
  await writePseudoLanguage(folder, 'en-XA');
  writeFileSync(pathOf(folder, 'mi'), 'msgid "x\nmsgstr "y"\n');
  writeFileSync(pathOf(folder, 'sm'), Buffer.from([0x6d, 0xff, 0xfe]));
  const { code, out, err } = await languages(folder, 'update');
  expect(code).toBe(1);
  expect(out).toBe('en-XA: only the notes, the order or the lines have changed\n');
  expect(err).toMatch(/^languages\/mi\.po:2 {2}cannot be read as a PO file: /m);
  expect(err).toMatch(/^languages\/sm\.po {2}is not in UTF-8/m);
  expect(err).toMatch(/\nA file that cannot be read stays as it is\.\n$/);
  expect(read(folder, 'mi')).toBe('msgid "x\nmsgstr "y"\n');
  expect(await languages(folder, 'update', 'fr')).toMatchObject({
    code: 1,
    err: expect.stringContaining('To begin one: awhina languages add fr'),
  });
});

test('a file of 100 MB and a folder of 500 are named at once, and nothing is written', async () => {
  const folder = makeContent();
  const { sentences } = await readContent(folder);
  const po = composePo('en-XA', sentences, accent);
  mkdirSync(join(folder, 'languages'));
  writeFileSync(pathOf(folder, 'aa'), po);
  truncateSync(pathOf(folder, 'aa'), 100_000_000);
  for (const args of [[], ['update']]) {
    const { code, out, err } = await languages(folder, ...args);
    expect(code).toBe(args.length);
    expect(out + err).toContain('is larger than 500 kB: is it the right file?');
  }
  expect(statSync(pathOf(folder, 'aa')).size).toBe(100_000_000);
  for (let n = 0; n < 500; n++)
    writeFileSync(pathOf(folder, `b${String.fromCharCode(97 + (n % 26))}${n}`), 'x');
  const many = await languages(folder);
  expect(many.err).toContain('languages  has 501 files, and only the first 40 are read');
  expect(await languages(folder, 'update')).toMatchObject({
    code: 1,
    err: expect.stringContaining('only the first 40 are read'),
  });
});

test.runIf(process.getuid?.() === 0)('update by root leaves a file to its owner, who edits it', async () => {
  const folder = makeContent();
  await writePseudoLanguage(folder, 'en-XA');
  chownSync(pathOf(folder, 'en-XA'), 1234, 1235);
  const before = read(folder, 'en-XA');
  expect((await languages(folder, 'update')).code).toBe(0);
  expect(read(folder, 'en-XA')).not.toBe(before);
  expect(statSync(pathOf(folder, 'en-XA'))).toMatchObject({ uid: 1234, gid: 1235 });
});

test('nothing in a file or its name acts on the terminal', async () => {
  const folder = makeContent();
  await writePseudoLanguage(folder, 'en-XA', {
    head: { 'X-Name': '\u001b[2J\u202eX' },
  });
  writeFileSync(pathOf(folder, 'mi'), '\u001bmsg "x"');
  writeFileSync(pathOf(folder, '\u001b[2J'), 'x');
  for (const args of [[], ['--json'], ['update']]) {
    const { out, err } = await languages(folder, ...args);
    expect([...out, ...err].filter((char) => char === '\u001b' || char === '\u202e')).toEqual([]);
    expect(out + err).toMatch(/␛|\\u001b/);
  }
});

test('used wrongly, or with content that is broken, it says so and writes nothing', async () => {
  const folder = makeContent();
  for (const args of [['add'], ['add', 'mi', 'sm'], ['remove'], ['add', 'mi', '--json']])
    expect((await languages(folder, ...args)).code).toBe(2);
  writeSite(folder, 'form: [');
  const broken = await languages(folder, 'add', 'mi');
  expect(broken).toMatchObject({
    code: 1,
    err: expect.stringContaining('The content is not right:\n  site.yaml:'),
  });
  expect(existsSync(join(folder, 'languages'))).toBe(false);
});

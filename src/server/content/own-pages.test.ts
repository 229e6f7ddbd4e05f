import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { describeProblem } from './content.ts';
import { readOwnPages, reservedNames } from './own-pages.ts';

async function read(files: Record<string, string>) {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'pages'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'pages', name), text);
  return readOwnPages(folder, temporaryFolder());
}
async function problemsOf(files: Record<string, string>): Promise<string[]> {
  const result = await read(files);
  return result.ok ? [] : result.problems.map((problem) => describeProblem(problem, '  '));
}
const page = (head: string, text = 'Words.') => `---\n${head}\n---\n${text}\n`;

test('without the folder there are no pages, and an editor’s own files are none', async () => {
  expect(await readOwnPages(temporaryFolder(), temporaryFolder())).toMatchObject({
    ok: true,
    value: { pages: [] },
  });
  expect(await read({ '.about.md.swp': '', 'about.md~': '', '.DS_Store': '' })).toMatchObject({
    ok: true,
    value: { pages: [] },
  });
});

test('a page has a title and a text; all else may be left out', async () => {
  expect(await read({ 'about-us.md': page('title: About us') })).toEqual({
    ok: true,
    value: {
      pages: [
        {
          name: 'about-us',
          title: 'About us',
          subtitle: '',
          description: 'About us',
          article: [{ kind: 'paragraph', inside: [{ kind: 'text', text: 'Words.' }] }],
        },
      ],
      sources: [
        {
          name: 'about-us',
          isInMenu: false,
          isInFooter: false,
          head: { title: 'About us' },
          blocks: ['Words.'],
        },
      ],
    },
  });
  const full = page(
    'title: About us\nsubtitle: Who we are\ndescription: D\nphoto: family\nmenu: true\nmenuLabel: Us',
  );
  expect(await read({ 'about-us.md': `\uFEFF${full.replaceAll('\n', '\r\n')}` })).toMatchObject({
    value: {
      pages: [
        { title: 'About us', subtitle: 'Who we are', description: 'D', photo: 'family', menuLabel: 'Us' },
      ],
    },
  });
});

test.each([
  [
    'help.md',
    page('title: Help'),
    '  has the name of something else on this site: give the file another name',
  ],
  [
    'About Us.md',
    page('title: Us'),
    '  has a name that cannot be an address: use small letters, digits and - only, such as about-us.md',
  ],
  ['about.txt', page('title: Us'), '  is not a page: save it as plain text, with a name that ends in .md'],
  [
    'a.md',
    'Words',
    ':1  has no head: begin it with a line of ---, then title: and its title, then a line of --- again',
  ],
  ['a.md', '---\ntitle: A\nWords', ':1  has a head that never ends: put a line of --- below it'],
  ['a.md', page('subtitle: B'), ':1  title: is missing: expected words'],
  ['a.md', page('title: A\ntitel: B'), ':3  titel: is not a word that belongs here'],
  ['a.md', page('title: Us: who we are'), ':2  has a colon in a sentence: put quotes around all of it'],
  ['a.md', page('title: A\nmenu: yes'), ':3  menu: expected true or false'],
  ['a.md', page('title: A', ''), ':3  has no text below its head'],
  ['a.md', page('title: A', 'Words\n\n[b](/b)'), ':6  the link “/b” leads to no page of this site'],
  [
    'a.md',
    page('title: A', '![b](b.png)'),
    ':4  has a picture in the text, where none is shown: name one at photo in the head of the page',
  ],
])('one sentence for each mistake: %s %j', async (name, text, says) => {
  expect(await problemsOf({ [name]: text })).toEqual([`pages/${name}${says}`]);
});

test('own pages may link to each other', async () => {
  expect(
    await problemsOf({
      'a.md': page('title: A', '[b](/b?x#y) [home](/)'),
      'b.md': page('title: B', '[a](/a)'),
    }),
  ).toEqual([]);
});

test('no own page can have an address that the site uses itself', async () => {
  const { app } = await prepareApp();
  await app.ready();
  const firsts = [...app.printRoutes({ commonPrefix: false }).matchAll(/── \/?([a-z][a-z-]*)(?=[/ ])/g)].map(
    ([, first]) => first,
  );
  expect(firsts).toEqual(expect.arrayContaining(['help', 'graphql', 'bot-check', 'health']));
  // What has a dot in it is no name of a page.
  expect(firsts.filter((name) => !reservedNames.includes(name ?? ''))).toEqual([]);
});

test('the product’s own pages are there, until a trust’s file takes the place of one or an empty one takes it away', async () => {
  const withDefaults = async (files: Record<string, string>) => {
    const folder = temporaryFolder();
    await mkdir(join(folder, 'pages'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'pages', name), text);
    const result = await readOwnPages(folder);
    return result.ok
      ? result.value.pages.map(({ title, footerLabel }) => [title, footerLabel])
      : result.problems;
  };
  const safety = ['Staying safe online', 'Online safety'];
  expect(await withDefaults({})).toEqual([['Accessibility', 'Accessibility'], safety]);
  expect(await withDefaults({ 'accessibility.md': page('title: For everyone') })).toEqual([
    ['For everyone', undefined],
    safety,
  ]);
  expect(await withDefaults({ 'accessibility.md': '', 'about.md': page('title: About') })).toEqual([
    ['About', undefined],
    safety,
  ]);
  expect(await withDefaults({ 'accessibility.md': '', 'staying-safe-online.md': '' })).toEqual([]);
  expect(await withDefaults({ 'about.md': '' })).toMatchObject([{ file: 'pages/about.md' }]);
});

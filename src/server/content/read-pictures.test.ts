import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolders, type TestFolders } from '../../../test/support/content-folder.ts';
import { drawing } from '../../../test/support/pictures.ts';
import { defaultLibrary } from '../photos/library.ts';
import { BadContent, readContent } from './content.ts';
import { readPictures } from './read-pictures.ts';

let folders: TestFolders;
beforeEach(async () => {
  folders = await makeFolders();
});
afterEach(() => folders.remove());

test('a picture is a file and a few lines', async () => {
  const index = '- file: whānau.svg\n  keywords: [family]\n  alt: A family\n  credit: Us\n';
  await folders.writePictures(index, { 'whānau.svg': drawing() });
  const { pictures } = await readContent(folders.contentDir);
  expect(pictures).toMatchObject([
    { file: 'whānau.svg', keywords: ['family'], alt: 'A family', credit: 'Us' },
  ]);
  expect(pictures[0]?.hash).toMatch(/^[0-9a-f]{32}$/);
});

test('every mistake in the list of pictures is named with its line, all at once', async () => {
  const index = `- file: here.svg
  keywords: [family]
  alt: ""
  credit: Us
- file: gone.svg
  keywords: []
  alt: A family
  credit: Us
  focus: { x: 150, y: 20 }
- file: ../../secret.svg
  keywords: family
  alt: A family
- file: note.txt
  keywords: [family]
  alt: A family
  credit: Us
  colour: red
`;
  await folders.writePictures(index, { 'here.svg': drawing() });
  const read = await readPictures(folders.contentDir);
  const lines = read.ok ? [] : read.problems.map(({ file, line, message }) => `${file}:${line} ${message}`);
  const picture = 'expected a picture beside this file: .jpg, .png, .webp, .avif or .svg';
  expect(lines.sort()).toEqual(
    [
      'photos/index.yaml:3 #1 › alt: must not be empty',
      'photos/index.yaml:5 #2 › file: there is no such file beside this one',
      'photos/index.yaml:6 #2 › keywords: expected at least one keyword',
      'photos/index.yaml:9 #2 › focus › x: expected a number from 0 to 100',
      `photos/index.yaml:10 #3 › file: ${picture}`,
      'photos/index.yaml:11 #3 › keywords: expected a list of keywords',
      'photos/index.yaml:10 #3 › credit: is missing: expected words',
      `photos/index.yaml:13 #4 › file: ${picture}`,
      'photos/index.yaml:17 #4 › colour: is not a word that belongs here',
    ].sort(),
  );
});

test('mistakes in the pictures are named together with those in the words', async () => {
  await folders.writePictures('- file: gone.svg\n', {});
  await writeFile(join(folders.contentDir, 'site.yaml'), 'organisation: ""\n');
  const error = await readContent(folders.contentDir).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BadContent);
  const files = new Set((error as BadContent).problems.map(({ file }) => file));
  expect([...files].sort()).toEqual(['photos/index.yaml', 'site.yaml']);
});

test('a trust without a list of pictures gets the product’s; one whose list is empty has none', async () => {
  const ours = (await readContent('content')).pictures;
  expect(ours.length).toBeGreaterThan(5);
  expect(await readPictures(folders.contentDir)).toEqual({
    ok: true,
    value: ours.map((picture) => ({ ...picture, folder: defaultLibrary })),
  });
  await folders.writePictures('# - file: beach.jpg\n', {});
  expect((await readContent(folders.contentDir)).pictures).toHaveLength(ours.length);
  await folders.writePictures('[]\n', {});
  expect(await readPictures(folders.contentDir)).toEqual({ ok: true, value: [] });
});

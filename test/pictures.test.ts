import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { listRenditions, phoneBudget, usesOfPictures } from '../bench/pictures.ts';
import { readContent } from '../src/server/content/content.ts';
import { findInLibrary, libraryFolder } from '../src/server/photos/library.ts';
import { renditionsFor } from '../src/server/photos/rendition-specs.ts';
import { openRenditionStore } from '../src/server/photos/rendition-store.ts';

/** The built-in library as it ships. Where these fail after a change of pictures or sizes: `npm run pictures`. */

const folder = join('content', libraryFolder, 'rendered');
const content = await readContent('content');
const { pictures } = content;
const uses = [...usesOfPictures(content)];

test('every picture ships in every size the pages ask for, made from the source beside it', async () => {
  const shipped = openRenditionStore({ folder, closing: new AbortController().signal });
  for (const [{ file, hash }, wanted] of uses) {
    expect(await shipped.find(hash, wanted), file).not.toBeNull();
    const names = renditionsFor(wanted).map(({ name }) => name);
    expect((await readdir(join(folder, hash))).sort()).toEqual([...names, 'made.json'].sort());
  }
});

test('nothing ships that no page asks for', async () => {
  expect((await readdir(folder)).sort()).toEqual(uses.map(([{ hash }]) => hash).sort());
  expect(uses.map(([picture]) => picture)).toHaveLength(pictures.length);
});

test('there are five covers, and two or more for each card and header', () => {
  expect(findInLibrary(pictures, 'family').length).toBeGreaterThanOrEqual(5);
  expect(findInLibrary(pictures, 'family support').length).toBeGreaterThanOrEqual(2);
  expect(findInLibrary(pictures, 'family contact center').length).toBeGreaterThanOrEqual(2);
});

test('none weighs more than 40 kB on a phone, and all together under 6 MB in the repository', async () => {
  const sizes = await listRenditions('content');
  expect(phoneBudget).toBe(40_000);
  expect(sizes.filter(({ forPhones, bytes }) => forPhones && bytes > phoneBudget)).toEqual([]);
  expect(sizes.some(({ rendition }) => rendition === 'cover-480@2x.avif')).toBe(true);
  expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(6_000_000);
});

test('what ships has the pixels its name promises', async () => {
  for (const [{ hash }, wanted] of uses) {
    for (const { name, width, height } of renditionsFor(wanted)) {
      const picture = await sharp(join(folder, hash, name)).metadata();
      expect(picture).toMatchObject(width ? { width, height } : { height });
    }
  }
});

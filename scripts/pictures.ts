import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listRenditions, phoneBudget } from '../bench/pictures.ts';
import { readContent } from '../src/server/content/content.ts';
import { usesOfPictures } from '../src/server/photos/library-photos.ts';
import { photoUses } from '../src/server/photos/photo-uses.ts';
import { openRenditionStore } from '../src/server/photos/rendition-store.ts';

/** Makes the renditions that ship with the built-in library, so that a first start has nothing to make. */

const contentDir = process.argv[2] ?? 'content';
const folder = join(contentDir, 'photos', 'rendered');
const content = await readContent(contentDir);
const { pictures } = content;
const store = openRenditionStore({ folder, closing: new AbortController().signal });

// All of them anew: a rendition the site has stopped using must not stay.
await rm(folder, { recursive: true, force: true });
for (const [{ file, hash, focus }, uses] of usesOfPictures(pictures, photoUses(content))) {
  const read = () => readFile(join(contentDir, 'photos', file));
  await store.make({ hash, read, maxPixels: 120_000_000, focus }, uses);
  console.log(`${file}  ${uses.join(', ')}`);
}

const made = await listRenditions(contentDir);
const largest = Math.max(...made.filter(({ forPhones }) => forPhones).map(({ bytes }) => bytes));
const total = made.reduce((sum, { bytes }) => sum + bytes, 0);
console.log(`\n${made.length} files, ${(total / 1e6).toFixed(1)} MB`);
console.log(`largest for a phone: ${(largest / 1000).toFixed(1)} of ${phoneBudget / 1000} kB`);

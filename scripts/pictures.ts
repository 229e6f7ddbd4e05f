import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listRenditions, phoneBudget, usesOfPictures } from '../bench/pictures.ts';
import { readContent } from '../src/server/content/content.ts';
import { openRenditionStore } from '../src/server/photos/rendition-store.ts';

/** `npm run pictures`: renders the pictures of the built-in library, so that a server's first start renders none. */

const contentDir = process.argv[2] ?? 'content';
const folder = join(contentDir, 'photos', 'rendered');
const content = await readContent(contentDir);
const store = openRenditionStore({ folder, closing: new AbortController().signal });

// Renditions that the site no longer uses must not remain.
await rm(folder, { recursive: true, force: true });
for (const [{ file, hash, focus }, uses] of usesOfPictures(content)) {
  const read = () => readFile(join(contentDir, 'photos', file));
  await store.make({ hash, read, maxPixels: 120_000_000, focus }, uses);
  console.log(`${file}  ${uses.join(', ')}`);
}

const renditions = await listRenditions(contentDir);
const largest = Math.max(...renditions.filter(({ forPhones }) => forPhones).map(({ bytes }) => bytes));
const total = renditions.reduce((sum, { bytes }) => sum + bytes, 0);
console.log(`\n${renditions.length} files, ${(total / 1e6).toFixed(1)} MB`);
console.log(`largest for a phone: ${(largest / 1000).toFixed(1)} of ${phoneBudget / 1000} kB`);

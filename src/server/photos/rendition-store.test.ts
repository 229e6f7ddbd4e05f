import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { photo } from '../../../test/support/pictures.ts';
import { pictureHash, renditionsFor } from './rendition-specs.ts';
import { openRenditionStore, type Source } from './rendition-store.ts';

let folder: string;
let source: Source;
const closing = new AbortController().signal;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awhina-renditions-'));
  const bytes = await photo();
  source = { hash: pictureHash(bytes), read: vi.fn(async () => bytes), maxPixels: 1_000_000 };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a picture is made once: a second start finds it, and another use adds only what is missing', async () => {
  const made = await openRenditionStore({ folder, closing }).make(source, ['header']);
  const again = openRenditionStore({ folder, closing });
  expect(await again.find(source.hash, ['header'])).toBe(made);
  expect(await again.make(source, ['header'])).toBe(made);
  expect(source.read).toHaveBeenCalledTimes(1);

  expect(await again.find(source.hash, ['header', 'card'])).toBeNull();
  await again.make(source, ['header', 'card']);
  expect(await again.find(source.hash, ['header', 'card'])).toBe(made);
  const names = renditionsFor(['header', 'card']).map(({ name }) => name);
  expect((await readdir(join(folder, source.hash))).sort()).toEqual([...names, 'made.json'].sort());
});

test('shipped renditions are found beside those made here, and never written to', async () => {
  const shipped = join(folder, 'shipped');
  const here = join(folder, 'here');
  await openRenditionStore({ folder: shipped, closing }).make(source, ['card']);
  const before = await readdir(join(shipped, source.hash));
  const store = openRenditionStore({ folder: here, shipped: [shipped], closing });
  const made = await store.make(source, ['card', 'header']);
  expect(await store.find(source.hash, ['card', 'header'])).toBe(made);
  expect(await readdir(join(shipped, source.hash))).toEqual(before);
  expect(await store.read(source.hash, 'card-340@1x.avif')).not.toBeNull();
  expect(await store.read(source.hash, 'header-480@1x.avif')).not.toBeNull();
});

test('a damaged record is made anew', async () => {
  const store = openRenditionStore({ folder, closing });
  await store.make(source, ['card']);
  await writeFile(join(folder, source.hash, 'made.json'), '{"averageColour":"red');
  expect(await store.find(source.hash, ['card'])).toBeNull();
  const made = await store.make(source, ['card']);
  expect(await store.find(source.hash, ['card'])).toBe(made);
});

test.each(['../outside', 'inside', '', '.', '%2e%2e'])(
  'no folder but a picture’s is read: %j',
  async (hash) => {
    for (const other of ['outside', 'store/inside', 'store']) {
      await mkdir(join(folder, other), { recursive: true });
      await writeFile(join(folder, other, 'medium.jpeg'), 'not for you');
    }
    const store = openRenditionStore({ folder: join(folder, 'store'), closing });
    expect(await store.read(hash, 'medium.jpeg')).toBeNull();
  },
);

test('only renditions are read, and a file that is no picture leaves nothing behind', async () => {
  const store = openRenditionStore({ folder, closing });
  await store.make(source, ['card']);
  for (const name of ['made.json', '../pexels.json', 'medium.jpeg/..', 'MEDIUM.jpeg', 'cover-480@1x.avif']) {
    expect(await store.read(source.hash, name)).toBeNull();
  }
  const broken = { ...source, hash: '0'.repeat(32), read: async () => Buffer.from('no picture') };
  await expect(store.make(broken, ['card'])).rejects.toThrow();
  expect(await store.find(broken.hash, [])).toBeNull();
});

test('unused pictures are removed after their time, and no others', async () => {
  const store = openRenditionStore({ folder, closing });
  await store.make(source, ['card']);
  await writeFile(join(folder, 'pexels.json'), '{}');
  const later = new Date(Date.now() + 60_000);
  await store.prune(new Set([source.hash]), later);
  await store.prune(new Set(), new Date(0));
  expect(await store.find(source.hash, ['card'])).not.toBeNull();
  await store.prune(new Set(), later);
  expect(await readdir(folder)).toEqual(['pexels.json']);
});

test('closing stops a picture that is being made, and a half-made one is not found', async () => {
  const controller = new AbortController();
  const store = openRenditionStore({ folder, closing: controller.signal });
  const making = store.make(source, ['card']);
  controller.abort(new Error('closing'));
  await expect(making).rejects.toThrow('closing');
  expect(await store.find(source.hash, ['card'])).toBeNull();
});

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  foundIds,
  library,
  makePhotoWorld,
  type PhotoWorld,
  untilFound,
} from '../../../test/support/open-photos.ts';
import { photo } from '../../../test/support/pictures.ts';

let world: PhotoWorld;
beforeEach(async () => {
  world = await makePhotoWorld();
});
afterEach(() => world.close());

test('without a key the library answers, in the same shape, with addresses of this site', async () => {
  const photos = await world.open({ key: false });
  const [ours] = await photos.search('Family');
  expect(ours).toMatchObject({ id: 'ours.jpg', alt: 'Ours', photographer: 'The trust', source: 'library' });
  expect(ours?.avg_color).toMatch(/^#[0-9a-f]{6}$/);
  expect(ours?.src.medium).toBe(`${ours?.folder}/medium.jpeg`);
  const hash = ours?.folder.replace('/photos/', '') ?? '';
  expect(await photos.files.read(hash, 'cover-480@2x.avif')).not.toBeNull();
  expect(world.fake.requests).toEqual([]);
  expect(await photos.search('mountain')).toEqual([]);
});

test('photos of the service whose folder was cleared are fetched again', async () => {
  const photos = await world.open();
  await rm(join(world.folders.dataDir, 'photos'), { recursive: true });
  await photos.refresh();
  const [found] = await photos.search('family');
  expect(await photos.files.read(found?.folder.slice(8) ?? '', 'cover-480@1x.avif')).not.toBeNull();
});

test('files and a few lines replace the pictures of a running site; a mistake leaves them', async () => {
  const photos = await world.open({ key: false });
  await world.folders.writePictures(library.replace('ours.jpg', 'new.png').replace('Ours', 'New'), {
    'new.png': await photo('#00aa00'),
  });
  await untilFound(photos, 'family', [{ id: 'new.png', alt: 'New' }]);
  const [before] = await photos.search('family');

  // The same name, another picture: another address.
  await world.folders.writePictures(library.replace('ours.jpg', 'new.png'), {
    'new.png': await photo('#0000aa'),
  });
  await untilFound(photos, 'family', [{ id: 'new.png', alt: 'Ours' }]);
  const [after] = await photos.search('family');
  expect(after?.folder).not.toBe(before?.folder);

  const told = new Promise<void>((resolve) => {
    world.onBrokenContent = resolve;
  });
  await world.folders.writePictures('- file: gone.jpg\n', {});
  await told;
  expect(await foundIds(photos)).toEqual(['new.png']);
});

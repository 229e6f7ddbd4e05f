import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerPhotos,
  answerStatus,
  type FakePexels,
  servicePhoto,
  startFakePexels,
} from '../../../test/support/fake-pexels.ts';
import { searchPexels } from './pexels.ts';

let fake: FakePexels;
beforeAll(async () => {
  fake = await startFakePexels();
});
afterAll(() => fake.close());

test('a search is a GET with the bare key, the query and per_page', async () => {
  fake.search = answerPhotos([servicePhoto(7, `${fake.url}/7.jpeg`)]);
  const { photos } = await searchPexels(fake, 'family contact center');
  const [request] = fake.requests;
  expect(request?.method).toBe('GET');
  expect(request?.path).toBe('/v1/search?query=family+contact+center&per_page=5');
  expect(request?.headers.authorization).toBe('a-key-of-the-trust');
  expect(photos).toEqual([
    {
      id: '7',
      alt: 'Photo 7',
      photographer: 'Photographer 7',
      url: 'https://www.pexels.com/photo/7/',
      src: { original: `${fake.url}/7.jpeg`, large2x: `${fake.url}/7.jpeg` },
    },
  ]);
});

test('the key does not follow a redirect', async () => {
  fake.search = answerStatus(302, { location: `${fake.url}/elsewhere` });
  await expect(searchPexels(fake, 'family')).rejects.toThrow();
  expect(fake.requests.some(({ path }) => path === '/elsewhere')).toBe(false);
});

test('a photo that lacks something, or whose page is no web address, does not cost the others', async () => {
  const good = servicePhoto(1, `${fake.url}/1.jpeg`);
  const script = { ...servicePhoto(2, `${fake.url}/2.jpeg`), url: 'javascript:alert(1)' };
  fake.search = answerPhotos([{ id: 3 }, script, good, null]);
  expect((await searchPexels(fake, 'family')).photos.map(({ id }) => id)).toEqual(['1']);
});

test('no more photos are taken than were asked for, nor more bytes than an answer can have', async () => {
  fake.search = answerPhotos(Array.from({ length: 9 }, (_, id) => servicePhoto(id, `${fake.url}/x`)));
  expect((await searchPexels(fake, 'family', 3)).photos).toHaveLength(3);
  fake.search = answerPhotos(['x'.repeat(1_000_000)]);
  await expect(searchPexels(fake, 'family')).rejects.toThrow('more than');
});

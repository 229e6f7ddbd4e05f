import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerNever,
  answerPhotos,
  answerStatus,
  type FakePexels,
  servicePhoto,
  startFakePexels,
} from '../../../test/support/fake-pexels.ts';
import { pausedUntil, searchPexels } from './pexels.ts';

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

test.each([
  [401, 'Unauthorized'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
])('an answer of %i throws its status text', async (status, text) => {
  fake.search = answerStatus(status);
  await expect(searchPexels(fake, 'family')).rejects.toThrow(text);
});

test('no results are an empty list', async () => {
  fake.search = answerPhotos([]);
  const { photos, headers } = await searchPexels(fake, 'family');
  expect(photos).toEqual([]);
  expect(pausedUntil(headers, 0)).toBeNull();
});

test('an answer that never comes is given up', async () => {
  fake.search = answerNever;
  const search = searchPexels({ ...fake, timeoutMs: 50 }, 'family');
  await expect(search).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('the key does not follow a redirect', async () => {
  fake.search = answerStatus(302, { location: `${fake.url}/elsewhere` });
  await expect(searchPexels(fake, 'family')).rejects.toThrow();
  expect(fake.requests.some(({ path }) => path === '/elsewhere')).toBe(false);
});

test('the last request of the month tells when there are more', async () => {
  fake.search = answerPhotos([], { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000000' });
  expect(pausedUntil((await searchPexels(fake, 'family')).headers, 0)).toBe(1_800_000_000_000);
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

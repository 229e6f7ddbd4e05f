import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  answerBytes,
  answerNever,
  answerPhotos,
  answerStatus,
  servicePhoto,
} from '../../../test/support/fake-pexels.ts';
import { foundIds, hour, makePhotoWorld, type PhotoWorld } from '../../../test/support/open-photos.ts';
import { drawing, photo, pngClaiming } from '../../../test/support/pictures.ts';

let world: PhotoWorld;
beforeEach(async () => {
  world = await makePhotoWorld();
});
afterEach(() => world.close());

test('with a key the service answers, through this site alone', async () => {
  const photos = await world.open();
  const [found] = await photos.search('family');
  expect(found).toMatchObject({
    id: '1',
    alt: 'Photo 1',
    photographer: 'Photographer 1',
    url: 'https://www.pexels.com/photo/1/',
    source: 'pexels',
  });
  expect(found?.folder).toMatch(/^\/photos\/[0-9a-f]{32}$/);
  expect(world.fake.requests.filter(({ path }) => path.startsWith('/v1')).map(({ path }) => path)).toEqual([
    '/v1/search?query=family&per_page=5',
    '/v1/search?query=family+support&per_page=5',
    '/v1/search?query=family+contact+center&per_page=5',
  ]);
  // The key is for the search, not for the host of the pictures.
  expect(world.fake.requests.find(({ path }) => path === '/1.jpeg')?.headers.authorization).toBeUndefined();
});

test('a second start asks nothing and shows the same; after a day it asks again, without fetching anew', async () => {
  const first = await world.open();
  const answer = await first.search('family');
  const asked = world.fake.requests.length;
  const second = await world.open();
  expect(await second.search('family')).toEqual(answer);
  world.clock += 23 * hour;
  await second.refresh();
  expect(world.fake.requests).toHaveLength(asked);

  world.clock += 2 * hour;
  await second.refresh();
  expect(world.fake.requests.slice(asked).map(({ path }) => path.split('?')[0])).toEqual(
    Array(3).fill('/v1/search'),
  );
  expect(await second.search('family')).toEqual(answer);
});

test.each([
  ['401', answerStatus(401), { status: 401, reason: 'Unauthorized' }],
  ['429', answerStatus(429), { status: 429, reason: 'Too Many Requests' }],
  ['500', answerStatus(500), { status: 500, reason: 'Internal Server Error' }],
  ['a time-out', answerNever, { reason: 'TimeoutError' }],
  ['nonsense', answerBytes(Buffer.from('<html>')), { reason: 'SyntaxError' }],
])(
  'at %s the library answers, it is logged once, and the service is left alone for an hour',
  async (...row) => {
    const [, answer, line] = row;
    const good = world.fake.search;
    world.fake.search = answer;
    if (answer === answerNever) world.searchMs = 1_000;
    const photos = await world.open();
    expect(await foundIds(photos)).toEqual(['ours.jpg']);
    expect(world.said('photo search failed')).toMatchObject([line]);
    expect(world.fake.searchCount()).toBe(1);

    world.clock += hour / 2;
    await photos.refresh();
    expect(world.fake.searchCount()).toBe(1);
    world.clock += hour;
    await photos.refresh();
    expect(world.fake.searchCount()).toBe(2);
    expect(world.said('photo search failed')).toHaveLength(1);

    world.fake.search = good;
    world.clock += 2 * hour;
    await photos.refresh();
    expect(await foundIds(photos)).toEqual(['1']);
  },
);

test('no results are no failure: the library answers, and nothing is logged', async () => {
  world.fake.search = answerPhotos([]);
  expect(await foundIds(await world.open())).toEqual(['ours.jpg']);
  expect(world.lines).toEqual([]);
});

test('yesterday’s photos are shown while the service is down', async () => {
  const photos = await world.open();
  world.fake.search = answerStatus(503);
  world.clock += 25 * hour;
  await photos.refresh();
  expect(await foundIds(photos)).toEqual(['1']);
});

test('a used-up quota or a requested wait is respected, also after a restart', async () => {
  const reset = Math.round(world.clock / 1000) + 7 * 24 * 3600;
  world.fake.search = answerPhotos([], { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) });
  await world.open();
  world.clock += 6 * 24 * hour;
  const next = await world.open();
  expect(world.fake.searchCount()).toBe(1);
  world.clock += 25 * hour;
  world.fake.search = answerStatus(429, { 'retry-after': String(5 * 3600) });
  await next.refresh();
  world.clock += 4 * hour;
  await next.refresh();
  expect(world.fake.searchCount()).toBe(2);
  world.clock += 2 * hour;
  await next.refresh();
  expect(world.fake.searchCount()).toBe(3);
});

test('broken and hostile pictures are left out, each said once, and the good one is shown', async () => {
  const good = await photo('#334455');
  const hostile = new Map([
    ['/svg.jpeg', drawing()],
    ['/bomb.png', await pngClaiming(30_000, 30_000)],
    ['/cut.jpeg', good.subarray(0, good.length / 2)],
    ['/large.jpeg', Buffer.concat([good, Buffer.alloc(2_000_000)])],
  ]);
  for (const [path, bytes] of hostile) world.fake.images.set(path, answerBytes(bytes));
  world.fake.images.set('/redirect.jpeg', answerStatus(302, { location: `${world.fake.url}/inside.jpeg` }));
  world.fake.images.set('/inside.jpeg', answerBytes(good));
  world.fake.images.set('/never.jpeg', answerNever);
  const elsewhere = world.fake.url.replace('127.0.0.1', 'localhost');
  const addresses = [...hostile.keys(), '/redirect.jpeg', '/never.jpeg'].map(
    (path) => `${world.fake.url}${path}`,
  );
  const results = [...addresses, `${elsewhere}/1.jpeg`].map((address, at) => servicePhoto(100 + at, address));
  const reasons = [
    'is not a JPEG, PNG or WebP picture',
    'has more than 60000000 pixels',
    'is broken',
    'has more than 1000000 bytes',
    'is a redirect',
    'took too long',
    "is not at the service's own host",
  ];

  // Only so many fit in one answer.
  const known = servicePhoto(1, `${world.fake.url}/1.jpeg`);
  world.fake.search = answerPhotos([...results.slice(0, 4), known]);
  expect(await foundIds(await world.open())).toEqual(['1']);
  world.imageMs = 1_000;
  const photos = await world.open();
  world.fake.search = answerPhotos([...results.slice(4), known]);
  world.clock += 25 * hour;
  await photos.refresh();
  expect(await foundIds(photos)).toEqual(['1']);
  expect(world.said('photo not fetched').map(({ reason }) => reason)).toEqual(reasons);
  expect(world.fake.requests.some(({ path }) => path === '/inside.jpeg')).toBe(false);

  world.clock += 25 * hour;
  await photos.refresh();
  expect(world.said('photo not fetched')).toHaveLength(reasons.length);
});

test('where the service cannot be reached the log says why', async () => {
  await world.fake.close();
  expect(await foundIds(await world.open())).toEqual(['ours.jpg']);
  expect(world.said('photo search failed')).toMatchObject([{ reason: 'ECONNREFUSED' }]);
});

test('closing does not wait for the service', async () => {
  world.searchMs = 3_600_000;
  const photos = await world.open();
  const asked = new Promise<void>((resolve) => {
    world.fake.search = () => resolve();
  });
  world.clock += 25 * hour;
  void photos.refresh();
  await asked;
  await photos.close();
  expect(world.lines).toEqual([]);
});

test('an answer that closing cut short is not stored', async () => {
  const photos = await world.open();
  world.fake.search = answerPhotos([servicePhoto(2, `${world.fake.url}/2.jpeg`)]);
  world.fake.images.set('/2.jpeg', () => void photos.close());
  world.clock += 25 * hour;
  await photos.refresh();
  world.fake.images.set('/2.jpeg', answerBytes(await photo('#777777')));
  expect(await foundIds(await world.open())).toEqual(['2']);
  expect(world.lines).toEqual([]);
});

test('where every picture of today is hostile, those of yesterday are shown', async () => {
  const photos = await world.open();
  world.fake.images.set('/2.jpeg', answerBytes(drawing()));
  world.fake.search = answerPhotos([servicePhoto(2, `${world.fake.url}/2.jpeg`)]);
  world.clock += 25 * hour;
  await photos.refresh();
  expect(await foundIds(photos)).toEqual(['1']);
});

test('where every picture is hostile the library answers', async () => {
  world.fake.images.set('/1.jpeg', answerBytes(drawing()));
  expect(await foundIds(await world.open())).toEqual(['ours.jpg']);
});

test('of an original that is too large a smaller copy is fetched', async () => {
  world.fake.images.set('/huge.png', answerBytes(await pngClaiming(30_000, 30_000)));
  world.fake.search = answerPhotos([
    servicePhoto(1, `${world.fake.url}/huge.png`, `${world.fake.url}/1.jpeg`),
  ]);
  expect(await foundIds(await world.open())).toEqual(['1']);
  expect(world.lines).toEqual([]);
});

import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerBytes,
  answerNever,
  type FakePexels,
  startFakePexels,
} from '../../../test/support/fake-pexels.ts';
import { drawing } from '../../../test/support/pictures.ts';
import { fetchImage, imageLimits, imageOrigin } from './fetch-image.ts';

let fake: FakePexels;
const closing = new AbortController().signal;
beforeAll(async () => {
  fake = await startFakePexels();
});
afterAll(() => fake.close());

const fetchFake = (path: string, limits = imageLimits) =>
  fetchImage(`${fake.url}${path}`, imageOrigin(fake.url), limits, closing);

test.each(['jpeg', 'png', 'webp'] as const)('a %s is accepted byte for byte', async (format) => {
  const bytes = await sharp(drawing()).toFormat(format).toBuffer();
  fake.images.set('/good', answerBytes(bytes));
  expect(await fetchFake('/good')).toEqual({ ok: true, bytes });
});

test('pictures of the service come from its picture host alone; a mirror has its own', () => {
  expect(imageOrigin('https://api.pexels.com')).toBe('https://images.pexels.com');
  expect(imageOrigin('http://127.0.0.1:8080/mirror')).toBe('http://127.0.0.1:8080');
});

test.each([
  'http://images.pexels.com/1.jpeg',
  'https://images.pexels.com.evil.example/1.jpeg',
  'https://images.pexels.com@evil.example/1.jpeg',
  'https://images.pexels.com:8443/1.jpeg',
  'https://169.254.169.254/latest/meta-data',
  'file:///etc/passwd',
  'not an address',
])('%s is never requested', async (address) => {
  const origin = imageOrigin('https://api.pexels.com');
  expect(await fetchImage(address, origin, imageLimits, closing)).toEqual({
    ok: false,
    problem: "is not at the service's own host",
  });
});

test('a file that only begins like a picture is refused as broken', async () => {
  fake.images.set('/broken', answerBytes(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])));
  expect(await fetchFake('/broken')).toMatchObject({ problem: 'is broken' });
});

test('a body over the limit is refused, whether its header says so or not', async () => {
  const limits = { ...imageLimits, bytes: 1000 };
  fake.images.set('/honest', answerBytes(Buffer.alloc(2000)));
  fake.images.set('/endless', (_request, response) => {
    response.writeHead(200);
    const more = () => {
      while (response.write(Buffer.alloc(500))) if (response.destroyed) return;
      response.once('drain', more);
    };
    more();
  });
  for (const path of ['/honest', '/endless']) {
    expect(await fetchFake(path, limits)).toMatchObject({ problem: 'has more than 1000 bytes' });
  }
});

test('a picture that does not come in time is given up', async () => {
  fake.images.set('/never', answerNever);
  expect(await fetchFake('/never', { ...imageLimits, ms: 50 })).toMatchObject({ problem: 'took too long' });
  fake.images.set('/half', (_request, response) => void response.writeHead(200).write('half'));
  expect(await fetchFake('/half', { ...imageLimits, ms: 50 })).toMatchObject({ problem: 'took too long' });
  expect(await fetchFake('/none')).toMatchObject({ problem: 'answered 404' });
});

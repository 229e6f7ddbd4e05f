import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { sendReady } from '../http/ready-responses.ts';
import { chooseEncoding, compressFile, makeReady } from './compressed-file.ts';

const text = 'Nau mai, haere mai. '.repeat(100);

async function ask(headers: Record<string, string>) {
  const file = await compressFile(text, 'text/plain; charset=utf-8');
  const app = Fastify();
  const ready = makeReady(file, { 'cache-control': 'no-cache' }, '/');
  app.get('/', async (request, reply) => sendReady(request, reply, ready));
  return app.inject({ path: '/', headers });
}

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.000', 'identity'],
  [undefined, 'identity'],
  ['BR ; q=0.5', 'br'],
  ['xbr, gzipx', 'identity'],
])('of %j the smallest encoding is %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});

test('the same content is sent in the encoding that was asked for', async () => {
  const [br, zipped, plain] = await Promise.all(
    ['br', 'gzip', 'identity'].map((encoding) => ask({ 'accept-encoding': encoding })),
  );
  expect(brotliDecompressSync(br?.rawPayload ?? '').toString()).toBe(text);
  expect(gunzipSync(zipped?.rawPayload ?? '').toString()).toBe(text);
  expect(plain?.payload).toBe(text);
  expect(plain?.headers['content-encoding']).toBeUndefined();
  expect(br?.headers).toMatchObject({ vary: 'accept-encoding', 'content-encoding': 'br' });
  expect(new Set([br, zipped, plain].map((response) => response?.headers.etag)).size).toBe(3);
});

test('a browser that has the file gets 304, also through a proxy that weakened the tag', async () => {
  const { headers } = await ask({ 'accept-encoding': 'br' });
  for (const tag of [headers.etag as string, `W/${headers.etag}`, `"other", ${headers.etag}`]) {
    const again = await ask({ 'accept-encoding': 'br', 'if-none-match': tag });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
  }
  expect((await ask({ 'accept-encoding': 'gzip', 'if-none-match': headers.etag as string })).statusCode).toBe(
    200,
  );
});

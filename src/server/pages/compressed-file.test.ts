import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { sendReady } from '../http/ready-responses.ts';
import { chooseEncoding, keepFile, makeReady, rememberedLines } from './compressed-file.ts';

const text = 'Nau mai, haere mai. '.repeat(100);

async function ask(headers: Record<string, string>) {
  const file = await keepFile(text, 'text/plain; charset=utf-8');
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
])('of %j the best is %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding);
});

test('the same content leaves in the encoding asked for', async () => {
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

test('who has it already gets 304, also through a proxy that weakened the tag', async () => {
  const { headers } = await ask({ 'accept-encoding': 'br' });
  for (const tag of [headers.etag as string, `W/${headers.etag}`, `"other", ${headers.etag}`]) {
    const again = await ask({ 'accept-encoding': 'br', 'if-none-match': tag });
    expect([again.statusCode, again.payload]).toEqual([304, '']);
  }
  expect((await ask({ 'accept-encoding': 'gzip', 'if-none-match': headers.etag as string })).statusCode).toBe(
    200,
  );
});

test('lines that nobody else sends are not remembered for good, and the others are still read right', () => {
  for (let n = 0; n < 1_000; n++) chooseEncoding(`x-${n}, gzip`);
  chooseEncoding('x'.repeat(10_000));
  expect(rememberedLines()).toBeLessThanOrEqual(64);
  expect(['br, gzip', 'x-7, gzip', ''].map(chooseEncoding)).toEqual(['br', 'gzip', 'identity']);
});

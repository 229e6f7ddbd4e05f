import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endWith, keepOpenEnded } from './open-ended.ts';

const unbrotli = promisify(brotliDecompress);
const unzip = promisify(gunzip);

test('a page with any end says the same in every encoding', async () => {
  const any = fc.string({ unit: 'binary', maxLength: 3_000 });
  await fc.assert(
    fc.asyncProperty(any, any, async (start, end) => {
      fc.pre(end !== '');
      const { bodies } = endWith(await keepOpenEnded(start, 'text/html'), end);
      const whole = Buffer.from(start + end);
      expect(bodies.identity).toEqual(whole);
      expect(await unbrotli(bodies.br)).toEqual(whole);
      expect(await unzip(bodies.gzip)).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});

test('the end costs its own bytes and next to none besides', async () => {
  const page = await keepOpenEnded('<p>Some words of a page</p>'.repeat(2_000), 'text/html');
  const { bodies } = endWith(page, 'x'.repeat(100));
  expect(bodies.br.length - page.start.br.length).toBeLessThan(110);
  expect(bodies.gzip.length - page.start.deflate.length).toBeLessThan(130);
});

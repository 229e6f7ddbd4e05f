import { expect, onTestFinished, test, vi } from 'vitest';
import { minimalPages, prepareApp } from '../../../test/support/app.ts';
import { stillContent } from '../../../test/support/forms.ts';
import { exchange, listen } from '../../../test/support/raw-http.ts';
import { testSecret } from '../../../test/support/tokens.ts';
import { createAltcha } from '../bot-check/altcha.ts';
import { assetTypes, compressFile } from '../pages/compressed-file.ts';
import { holdPictures } from '../photos/picture-files.ts';
import { createCanaryMarks, markHeader } from '../self-checks/canary-mark.ts';
import { securityHeaders } from './security-headers.ts';

const publicUrl = 'https://www.kowhai.example';
const photos = {
  description: 'none',
  search: async () => [],
  onChange: () => () => {},
  files: holdPictures({ read: async () => Buffer.from('a picture') }),
};
const addresses = ['/', '/help', '/contact', '/assets/entry-a.js', '/photos/hash/medium.jpeg'];

async function prepare() {
  const content = stillContent();
  const script = await compressFile('go()', assetTypes['.js'] ?? '');
  const pages = await minimalPages(content, createAltcha(testSecret).client, {
    files: new Map([['/assets/entry-a.js', script]]),
  });
  const metrics = { onResponse: vi.fn(), onRefused: vi.fn() };
  const { app, logged } = await prepareApp({ content, pages, photos, publicUrl, metrics });
  // Who comes this far has passed what lies ready.
  const framework: string[] = [];
  app.addHook('onRequest', async ({ url }) => void framework.push(url));
  const port = await listen(app);
  const ask = (line: string, ...headers: string[]) =>
    exchange(port, [line, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'));
  // The first visit to a page compresses it, and the first of each minute compares the day.
  for (const path of ['/', '/help', '/contact', '/photos/hash/medium.jpeg'])
    await ask(`GET ${path}?first HTTP/1.1`);
  framework.length = 0;
  metrics.onResponse.mockClear();
  return { app, port, ask, framework, metrics, logged };
}

/** Without what is new every second: when it was sent, and when a form was. */
const lasting = (answer: string) =>
  answer
    .replace(/^date: .*\r\n/im, '')
    .replace(/value="[^"]*"/g, '')
    .split('\r\n\r\n');
const sameHead = (answer: string) => lasting(answer)[0]?.toLowerCase().split('\r\n').toSorted();

test.each(addresses)('%s has the same response from the cache and from Fastify', async (address) => {
  // Before the first request: at the turn of a minute the framework would be asked again.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const { ask, framework } = await prepare();
  const ready = await ask(`GET ${address} HTTP/1.1`, 'Accept-Encoding: identity');
  expect(framework).toEqual([]);
  const routed = await ask(`GET http://x${address} HTTP/1.1`, 'Accept-Encoding: identity');
  expect(framework).toHaveLength(1);
  expect(ready).toMatch(/^HTTP\/1.1 200 /);
  expect(sameHead(ready)).toEqual(sameHead(routed));
  expect(lasting(ready)[1]).toBe(lasting(routed)[1]);
});

test.each(addresses)('%s has every strict header once, also where nothing changed', async (address) => {
  const { ask } = await prepare();
  const whole = await ask(`GET ${address} HTTP/1.1`, 'Accept-Encoding: br');
  const etag = /^etag: (.*)$/im.exec(whole)?.[1];
  const answers = [whole];
  if (etag)
    answers.push(await ask(`GET ${address} HTTP/1.1`, 'Accept-Encoding: br', `If-None-Match: ${etag}`));
  expect(answers.slice(1).every((answer) => /^HTTP\/1.1 304 .*\r\n\r\n$/s.test(answer))).toBe(true);
  for (const answer of answers) {
    for (const name of Object.keys(securityHeaders(publicUrl))) {
      expect(answer.match(new RegExp(`^${name}: `, 'gim')), name).toHaveLength(1);
    }
  }
});

test('HEAD has the same headers and no body', async () => {
  const { ask } = await prepare();
  const [head, body] = (await ask('HEAD /assets/entry-a.js HTTP/1.1', 'Accept-Encoding: br')).split(
    '\r\n\r\n',
  );
  const whole = await ask('GET /assets/entry-a.js HTTP/1.1', 'Accept-Encoding: br');
  expect(sameHead(head ?? '')).toEqual(sameHead(whole));
  expect(body).toBe('');
});

test('a cached response is counted and logged by its route, never by the URL', async () => {
  const { ask, metrics, logged } = await prepare();
  for (const address of addresses) await ask(`GET ${address} HTTP/1.1`);
  expect(metrics.onResponse.mock.calls).toEqual([
    ['GET', '/', 200],
    ['GET', '/help', 200],
    ['GET', '/contact', 200],
    ['GET', '/assets/*', 200],
    ['GET', '/photos/:hash/:file', 200],
  ]);
  expect(logged.join('')).toContain(
    '"event":"response sent","method":"GET","route":"/assets/*","status":200',
  );
  expect(logged.join('')).not.toContain('entry-a');
});

test('a request with a canary mark gets a signed response', async () => {
  const { ask } = await prepare();
  const { mark, expectedResponse: answer } = createCanaryMarks(
    testSecret,
    () => new Date(),
  ).markPageRequest();
  expect(await ask('GET /help HTTP/1.1', `${markHeader}: ${mark}`)).toContain(`${markHeader}: ${answer}\r\n`);
  expect(await ask('GET /help HTTP/1.1')).not.toContain(markHeader);
});

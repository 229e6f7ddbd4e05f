import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { exchange, listen } from '../../../test/support/raw-http.ts';

/** Asks over HTTP and follows nothing. */
async function visit(paths: readonly string[], method = 'GET') {
  const { app } = await prepareApp();
  const port = await listen(app);
  return Promise.all(
    paths.map(async (path) => {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        redirect: 'manual',
      });
      return { path, status, location: headers.get('location'), caching: headers.get('cache-control') };
    }),
  );
}

const all = (paths: readonly string[], answer: object) => paths.map((path) => ({ path, ...answer }));
const leads = (location: string) => ({ status: 302, location, caching: 'no-store' });
const missing = { status: 404, location: null, caching: 'no-store' };

const pages = [
  '/no/such/page',
  '/healthy-families',
  '/photos',
  '/photos/',
  '/assets',
  '/photos-of-us',
  '/graphqlx',
  '/src',
  '/@kowhai',
  '/index.html',
  '/contact.php?name=Sample',
  '/about.us',
  '/helpful/',
];

const files = [
  '/assets/none.js',
  '/assets/none',
  '/photos/none',
  '/photos/none.html',
  '/graphql',
  '/graphql/',
  '/health',
  '/health/none',
  '/bot-check/none',
  '/src/none.tsx',
  '/@vite/none',
  '/.env',
  '/.well-known/none',
  '/favicon.ico',
  '/sitemap.xml',
  '/help.js.map',
];

test.each(['GET', 'HEAD'])(
  '%s: a missing page redirects to the home page, without anything of the address',
  async (method) => {
    expect(await visit(pages, method)).toEqual(all(pages, leads('/')));
  },
);

test('an address that only programs ask for is a 404', async () => {
  expect(await visit(files)).toEqual(all(files, missing));
});

test('a post to a missing page is not redirected', async () => {
  expect(await visit(['/no/such/page', '/'], 'POST')).toEqual(all(['/no/such/page', '/'], missing));
});

test('a page has one address: other spellings redirect to it, without the query', async () => {
  expect(await visit(['/help/', '/contact/?name=Sample', '/%68elp'])).toEqual([
    { path: '/help/', ...leads('/help') },
    { path: '/contact/?name=Sample', ...leads('/contact') },
    { path: '/%68elp', ...leads('/help') },
  ]);
  expect(await visit(['//'], 'HEAD')).toEqual([{ path: '//', ...leads('/') }]);
  expect(await visit(['/', '/?name=Sample', '/help', '/help?name=Sample', '/contact'])).toMatchObject(
    Array(5).fill({ status: 200, location: null }),
  );
});

test('a request with the whole address, as a proxy may send it, is answered alike', async () => {
  const { app } = await prepareApp();
  const port = await listen(app);
  const ask = (address: string) =>
    exchange(port, `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(await ask('http://x/')).toMatch(/^HTTP\/1.1 200 /);
  expect(await ask('http://x')).toMatch(/^HTTP\/1.1 200 /);
  expect(await ask('http://x/help?name=Sample')).toMatch(/^HTTP\/1.1 200 /);
  expect(await ask('http://x/help/')).toMatch(/^HTTP\/1.1 302 .*\r\nlocation: \/help\r\n/s);
  expect(await ask('http://x/photos/none')).toMatch(/^HTTP\/1.1 404 /);
});

test('the history entry of the quick exit redirects to the neutral page, is cached, and is not indexed', async () => {
  const { app } = await prepareApp();
  const { statusCode, headers, payload } = await app.inject('/-');
  expect([statusCode, headers.location, payload]).toEqual([302, 'https://www.metservice.com/', '']);
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=3600', 'x-robots-tag': 'noindex' });
});

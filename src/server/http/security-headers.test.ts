import { once } from 'node:events';
import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { exchange, listen, openConnection } from '../../../test/support/raw-http.ts';
import { securityHeaders } from './security-headers.ts';

const publicUrl = 'https://www.kowhai.example';
const photos = {
  description: 'none',
  search: async () => [],
  onChange: () => () => {},
  files: { find: () => null, read: async () => null },
};

function expectStrict(answer: string) {
  const lines = answer.split('\r\n');
  for (const [name, value] of Object.entries(securityHeaders(publicUrl))) {
    expect(lines).toContain(`${name}: ${value}`);
  }
}

const write = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const get = (path: string, ...headers: string[]) =>
  write(`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers);
const post = (path: string, ...headers: string[]) =>
  write(`POST ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers);
const tooMuch = 'CANARY'.repeat(3000);

test.each([
  ['a file', get('/robots.txt'), 200],
  ['a health check', get('/health/live'), 200],
  ['an address nobody knows', get('/no/such/page'), 302],
  ['an address that cannot be decoded', get('/%zz/CANARY'), 302],
  ['a form posted to one', post('/%zz/CANARY'), 404],
  ['a picture with too long a name', get(`/photos/${'CANARY'.repeat(30)}/x.avif`), 404],
  ['a file nobody has', get('/assets/none.js'), 404],
  ['a body of no kind', `${post('/graphql', 'Content-Length: 6')}CANARY`, 415],
  ['a request without a host', write('GET /CANARY HTTP/1.1'), 400],
  ['an expectation', get('/CANARY', 'Expect: CANARY'), 417],
  ['what is no HTTP at all', write('CANARY'), 400],
  ['a header without a value', get('/', 'CANARY'), 400],
  ['more headers than are read', get('/', `Cookie: ${tooMuch}`), 431],
  [
    'a body with more around its chunks than in them',
    `${post('/graphql', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}1;${tooMuch}\r\n`,
    413,
  ],
])('%s is answered with the strict headers', async (_what, request, status) => {
  const { app, logged } = await prepareApp({ publicUrl, photos });
  const answer = await exchange(await listen(app), request);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expectStrict(answer);
  expect(answer).not.toContain('CANARY');
  expect(logged.join('')).not.toContain('CANARY');
});

test('browsers are told to use https for a year, and for other names of the trust only where it says so', async () => {
  const hsts = async (parts: Parameters<typeof prepareApp>[0]) => {
    const { app } = await prepareApp(parts);
    const port = await listen(app);
    const answers = await Promise.all(['/', '/robots.txt', '/none'].map((path) => exchange(port, get(path))));
    return new Set(answers.map((answer) => /^strict-transport-security: (.*)\r$/im.exec(answer)?.[1]));
  };
  expect(await hsts({ publicUrl })).toEqual(new Set(['max-age=31536000']));
  expect(await hsts({ publicUrl, hstsSubdomains: true })).toEqual(
    new Set(['max-age=31536000; includeSubDomains']),
  );
  expect(await hsts({ publicUrl: 'http://localhost:3000' })).toEqual(new Set([undefined]));
});

test("a page's own policy takes the place of the strict one", async () => {
  const { app } = await prepareApp();
  const answer = await exchange(await listen(app), get('/help'));
  const policies = answer.split('\r\n').filter((line) => /^content-security-policy:/i.test(line));
  expect(policies).toHaveLength(1);
  expect(policies[0]).toContain("script-src 'self'");
});

test('a request that arrives during shutdown is still answered, with the strict headers, after earlier ones', async () => {
  const { app } = await prepareApp({ publicUrl });
  const inHand = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  app.get('/test/slow', async () => {
    inHand.resolve();
    await finish.promise;
    return 'finished';
  });
  app.addHook('preClose', async () => closing.resolve());
  const { socket, answered } = openConnection(await listen(app));
  socket.write(write('GET /test/slow HTTP/1.1', 'Host: x'));
  await inHand.promise;
  const closed = app.close();
  await closing.promise;
  const arrived = once(app.server, 'request');
  socket.write(write('GET /health/ready?CANARY HTTP/1.1', 'Host: x'));
  await arrived;
  finish.resolve();

  const [first, second = ''] = (await answered).split(/(?=HTTP\/1\.1 )/);
  expect(first).toMatch(/^HTTP\/1.1 200 .*finished$/s);
  expect(second).toMatch(/^HTTP\/1.1 200 /);
  expectStrict(second);
  expect(second).not.toContain('CANARY');
  await closed;
});

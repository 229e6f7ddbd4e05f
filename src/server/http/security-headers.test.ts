import { once } from 'node:events';
import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { exchange, listen, openConnection } from '../../../test/support/raw-http.ts';
import { securityHeaders } from './security-headers.ts';

const publicUrl = 'https://www.kowhai.example';

function expectStrict(answer: string) {
  const lines = answer.split('\r\n');
  for (const [name, value] of Object.entries(securityHeaders(publicUrl))) {
    expect(lines).toContain(`${name}: ${value}`);
  }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

test.each([
  ['a file', get('/robots.txt'), 200],
  ['a health check', get('/health/live'), 200],
  ['an address nobody knows', get('/no/such/page'), 302],
  ['a file nobody has', get('/assets/none.js'), 404],
  [
    'a body nobody reads',
    'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nConnection: close\r\n\r\n{"a": "b"',
    415,
  ],
  ['a request without a host', 'GET /CANARY HTTP/1.1\r\n\r\n', 400],
  ['an expectation', 'GET /CANARY HTTP/1.1\r\nHost: x\r\nExpect: CANARY\r\nConnection: close\r\n\r\n', 417],
])('%s is answered with the strict headers', async (_what, request, status) => {
  const { app, logged } = await prepareApp({ publicUrl });
  const answer = await exchange(await listen(app), request);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expectStrict(answer);
  expect(answer).not.toContain('CANARY');
  expect(logged.join('')).not.toContain('CANARY');
});

test("a page's own policy takes the place of the strict one", async () => {
  const { app } = await prepareApp();
  const answer = await exchange(await listen(app), get('/help'));
  const policies = answer.split('\r\n').filter((line) => /^content-security-policy:/i.test(line));
  expect(policies).toHaveLength(1);
  expect(policies[0]).toContain("script-src 'self'");
});

test('what comes while closing is a 503 with the strict headers, after what was in hand', async () => {
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
  socket.write('GET /test/slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await inHand.promise;
  const closed = app.close();
  await closing.promise;
  const arrived = once(app.server, 'request');
  socket.write('GET /health/ready?CANARY HTTP/1.1\r\nHost: x\r\n\r\n');
  await arrived;
  finish.resolve();

  const [first, second = ''] = (await answered).split(/(?=HTTP\/1\.1 )/);
  expect(first).toMatch(/^HTTP\/1.1 200 .*finished$/s);
  expect(second).toMatch(/^HTTP\/1.1 503 /);
  expectStrict(second);
  expect(second).not.toContain('CANARY');
  await closed;
});

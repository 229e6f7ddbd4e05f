import { expect, test } from 'vitest';
import { inject, prepareApp } from '../../test/support/app.ts';
import { sampleEntries } from '../../test/support/forms.ts';
import { mintToken } from '../../test/support/tokens.ts';
import { submitMutations } from '../model/operations.ts';

const challengeFrom = (address: string, headers: Record<string, string> = {}) => ({
  url: '/bot-check/challenge',
  remoteAddress: address,
  headers,
});

test('one address can ask for so many challenges, and others are not held back by it', async () => {
  const { app } = await prepareApp();
  const statuses = [];
  for (let n = 0; n < 241; n++) statuses.push((await app.inject(challengeFrom('192.0.2.1'))).statusCode);
  expect(statuses.slice(0, 240).every((status) => status === 200)).toBe(true);
  expect(statuses[240]).toBe(429);
  expect((await app.inject(challengeFrom('192.0.2.2'))).statusCode).toBe(200);
});

test('one address can send so many forms, then is told to wait; nobody can write themselves another', async () => {
  const { app } = await prepareApp();
  const codes = [];
  for (let n = 0; n < 61; n++) {
    const response = await app.inject({
      method: 'POST',
      url: '/graphql',
      remoteAddress: '192.0.2.1',
      headers: { 'x-forwarded-for': `198.51.100.${n}` },
      payload: {
        query: submitMutations.help,
        variables: { fields: sampleEntries.help, recaptchaToken: await mintToken() },
      },
    });
    codes.push(response.json().errors?.[0].extensions.code ?? response.statusCode);
  }
  expect(codes.slice(0, 60).every((code) => code === 200)).toBe(true);
  expect(codes[60]).toBe('RATE_LIMITED');
});

test.each<[string, number | string[] | undefined, string, string]>([
  ['no proxy is trusted unasked', undefined, '127.0.0.1', '127.0.0.1'],
  ['a named proxy is believed', ['10.1.1.1'], '10.1.1.1', '198.51.100.1'],
  ['another is not', ['10.1.1.1'], '10.1.1.2', '10.1.1.2'],
  ['one hop is believed from a private address', 1, '127.0.0.1', '198.51.100.1'],
  ['but not from the open internet', 1, '203.0.113.9', '203.0.113.9'],
])('%s', async (_what, trustProxy, remoteAddress, expected) => {
  const { app } = await prepareApp({ trustProxy });
  app.get('/test/address', async (request) => request.ip);
  const headers = { 'x-forwarded-for': '203.0.113.77, 198.51.100.1' };
  expect((await app.inject({ url: '/test/address', remoteAddress, headers })).body).toBe(expected);
});

test('a body over 64 kB is refused, one just under is read', async () => {
  const { app } = await prepareApp();
  const payload = (size: number) => ({
    query: '{ getHelpForm { key } }',
    variables: { pad: 'x'.repeat(size) },
  });
  expect(
    (await app.inject({ method: 'POST', url: '/graphql', payload: payload(64 * 1024) })).statusCode,
  ).toBe(413);
  expect((await app.inject({ method: 'POST', url: '/graphql', payload: payload(60_000) })).statusCode).toBe(
    200,
  );
});

test('too much work is answered 503 with Retry-After', async () => {
  const { app } = await prepareApp({ maxEventLoopDelay: 1 });
  await app.ready();
  await expect
    .poll(
      async () => {
        const busyUntil = performance.now() + 50;
        while (performance.now() < busyUntil);
        const { statusCode, headers } = await app.inject('/health/live');
        return [statusCode, headers['retry-after']];
      },
      { timeout: 20_000 },
    )
    .toEqual([503, '5']);
});

test('ready and deliveries each name what is wrong with them; live only needs the process', async () => {
  const { app } = await prepareApp({
    health: {
      ready: async () => ({ problems: ['the disk is full'], warnings: [] }),
      deliveries: async () => ({ problems: [], warnings: ['the clock is behind'] }),
    },
  });
  const ready = await app.inject('/health/ready');
  expect(ready.statusCode).toBe(503);
  expect(ready.json()).toEqual({ status: 'not ready', problems: ['the disk is full'] });
  const deliveries = await app.inject('/health/deliveries');
  expect(deliveries.statusCode).toBe(200);
  expect(deliveries.json()).toEqual({ status: 'in time', warnings: ['the clock is behind'] });
  expect((await app.inject('/health/live')).json()).toEqual({ status: 'live' });
});

test('the most verbose log has no answer, no token and no address in it', async () => {
  const { app, logged } = await prepareApp();
  const token = await mintToken();
  const fields = sampleEntries.contact.map((entry) => ({ ...entry, value: `CANARY ${entry.value}` }));
  await inject(app, submitMutations.contact, { fields, recaptchaToken: token });
  await inject(app, submitMutations.contact, { fields: 'CANARY', recaptchaToken: token });
  await app.inject({ url: '/help?CANARY=1', headers: { 'user-agent': 'CANARY', referer: 'http://CANARY' } });
  await app.inject({
    method: 'POST',
    url: '/graphql',
    payload: '{"CANARY',
    headers: { 'content-type': 'application/json' },
  });
  const text = logged.join('');
  expect(text).toContain('"event":"answered"');
  for (const secret of ['CANARY', token.slice(0, 40), '127.0.0.1', 'kowhai.example'])
    expect(text).not.toContain(secret);
});

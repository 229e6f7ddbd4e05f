import { expect, test, vi } from 'vitest';
import { inject, prepareApp, type TestApp } from '../../test/support/app.ts';
import { sampleEntries } from '../../test/support/forms.ts';
import { mintToken, solve, testSecret } from '../../test/support/tokens.ts';
import { submitMutations } from '../model/operations.ts';
import type { AppParts } from './app.ts';
import { createAltcha } from './bot-check/altcha.ts';

const challengeFrom = (address: string, headers: Record<string, string> = {}) => ({
  url: '/bot-check/challenge',
  remoteAddress: address,
  headers,
});

test('an address that requests more challenges than people need gets hard ones, and never the challenge of another client', async () => {
  const { app } = await prepareApp();
  const ask = async (address: string) => (await app.inject(challengeFrom(address))).json();
  const signatures = new Set<string>();
  for (let n = 0; n < 240; n++) signatures.add((await ask('192.0.2.1')).signature);
  const after = await Promise.all(Array.from({ length: 50 }, () => ask('192.0.2.1')));
  for (const { signature } of after) signatures.add(signature);
  expect(signatures.size).toBe(290);
  expect(await createAltcha(testSecret).verify(await solve(after[0]))).toMatchObject({ ok: true });
  expect((await app.inject(challengeFrom('192.0.2.2'))).statusCode).toBe(200);
});

const sendHelp = async (app: TestApp, token: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/graphql',
    remoteAddress: '192.0.2.1',
    headers,
    payload: {
      query: submitMutations.help,
      variables: { fields: sampleEntries.help, recaptchaToken: token },
    },
  });
const codeOf = (response: Awaited<ReturnType<typeof sendHelp>>) =>
  response.json().errors?.[0].extensions.code ?? response.statusCode;

test('an address that sends junk is told to wait, no header changes its address, and its good forms pass', async () => {
  const { app } = await prepareApp();
  const codes = [];
  for (let n = 0; n < 91; n++) {
    codes.push(codeOf(await sendHelp(app, 'junk', { 'x-forwarded-for': `198.51.100.${n}` })));
  }
  expect(codes.slice(0, 60).every((code) => code === 'BOT_CHECK_FAILED')).toBe(true);
  expect(codes[90]).toBe('RATE_LIMITED');
  expect(codeOf(await sendHelp(app, await mintToken()))).toBe(200);
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

test('a client that sends requests without pause has to wait, and no other client does', async () => {
  const { app } = await prepareApp();
  const waiting = Array.from({ length: 800 }, async () => {
    const { statusCode } = await app.inject({ url: '/health/live', remoteAddress: '192.0.2.1' });
    answered++;
    return statusCode;
  });
  let answered = 0;
  expect((await app.inject({ url: '/health/live', remoteAddress: '192.0.2.2' })).statusCode).toBe(200);
  expect(answered).toBeLessThan(800);
  expect((await Promise.all(waiting)).every((status) => status === 200)).toBe(true);
});

test('however often /health/ready is requested, the checks behind it run once in an interval', async () => {
  const check = vi.fn(async () => ({ problems: [], warnings: [], forStaff: [] }));
  const probe = vi.fn(async () => true);
  const { app } = await prepareApp({
    health: { ready: check, deliveries: check, publicChecks: { ready: probe, deliveries: probe } },
  });
  for (const remoteAddress of ['127.0.0.1', '192.0.2.1']) {
    const ask = () => app.inject({ url: '/health/ready', remoteAddress });
    const answers = await Promise.all(Array.from({ length: 200 }, ask));
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  }
  expect(check).toHaveBeenCalledTimes(1);
  expect(probe).toHaveBeenCalledTimes(1);
});

const inTrouble: AppParts['health'] = {
  ready: async () => ({ problems: ['the disk is full'], warnings: [], forStaff: [] }),
  deliveries: async () => ({ problems: [], warnings: ['the clock is behind'], forStaff: [] }),
  publicChecks: { ready: async () => true, deliveries: async () => false },
};

test('ready and deliveries each name what is wrong with them; live only needs the process', async () => {
  const { app } = await prepareApp({ health: inTrouble });
  const ready = await app.inject('/health/ready');
  expect(ready.statusCode).toBe(503);
  expect(ready.json()).toEqual({ status: 'not ready', problems: ['the disk is full'] });
  const deliveries = await app.inject('/health/deliveries');
  expect(deliveries.statusCode).toBe(200);
  expect(deliveries.json()).toEqual({ status: 'in time', warnings: ['the clock is behind'] });
  expect((await app.inject('/health/live')).json()).toEqual({ status: 'live' });
});

test('the public gets the word and the status that no request changes, and nothing else', async () => {
  const { app } = await prepareApp({ health: inTrouble });
  const ask = (url: string) => app.inject({ url, remoteAddress: '192.0.2.1' });
  const ready = await ask('/health/ready');
  expect([ready.statusCode, ready.json()]).toEqual([200, { status: 'ready' }]);
  const deliveries = await ask('/health/deliveries');
  expect([deliveries.statusCode, deliveries.json()]).toEqual([503, { status: 'not in time' }]);
});

test('a monitor with the key gets the details; an old key is refused, but never a load balancer’s question', async () => {
  const monitorKey = 'a-key-of-one-monitor-only';
  const { app } = await prepareApp({ health: inTrouble, monitorKey });
  const ask = (url: string, key: string) =>
    app.inject({ url, remoteAddress: '192.0.2.1', headers: { authorization: `Bearer ${key}` } });
  expect((await ask('/health/deliveries', monitorKey)).json()).toMatchObject({ status: 'in time' });
  expect((await ask('/health/ready', monitorKey)).json()).toMatchObject({ problems: ['the disk is full'] });
  const refused = await ask('/health/deliveries', 'the-key-of-last-year-123');
  expect(refused.statusCode).toBe(401);
  expect(refused.headers['www-authenticate']).toBe('Bearer');
  expect((await ask('/health/ready', 'the-key-of-last-year-123')).json()).toEqual({ status: 'ready' });
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
  expect(text).toContain('"event":"response sent"');
  for (const secret of ['CANARY', token.slice(0, 40), '127.0.0.1', 'kowhai.example'])
    expect(text).not.toContain(secret);
});

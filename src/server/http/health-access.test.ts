import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createHealthAccess, type HealthAccessParts } from './health-access.ts';
import { trustedProxies } from './trusted-proxies.ts';

const monitorKey = 'a-key-of-one-monitor-only';
const direct = { host: '127.0.0.1:3000', 'user-agent': 'curl/8.5.0', accept: '*/*' };

interface Asked {
  from?: string;
  headers?: IncomingHttpHeaders;
  settings?: Partial<HealthAccessParts> & { trustProxy?: number | string[] };
}

function accessOf({ from = '127.0.0.1', headers = {}, settings = {} }: Asked) {
  const { trustProxy, ...given } = settings;
  const access = createHealthAccess({
    ...{ monitorKey: undefined, publicUrl: undefined, trust: trustedProxies(trustProxy) },
    ...given,
  });
  return access({ headers: { ...direct, ...headers }, socket: { remoteAddress: from } as never });
}

const publicSite = { publicUrl: 'https://www.trust.example' };
const behindProxy = { ...publicSite, trustProxy: ['127.0.0.1'] };

describe('a program on this machine reads the details', () => {
  test.each<[string, Asked]>([
    ['of a site that is being tried out', {}],
    ['over IPv6', { from: '::1', headers: { host: '[::1]:3000' } }],
    ['over IPv4 inside IPv6', { from: '::ffff:127.0.0.1', headers: { host: 'localhost:3000' } }],
    ['of a public site whose proxy says for whom it asks', { settings: behindProxy }],
    ['of a public site behind a number of proxies', { settings: { ...publicSite, trustProxy: 1 } }],
    ['of a site whose address is this machine', { settings: { publicUrl: 'http://localhost:3000' } }],
    [
      'with a browser',
      {
        headers: {
          'accept-language': 'mi',
          'sec-fetch-site': 'none',
          'sec-ch-ua-mobile': '?0',
          'upgrade-insecure-requests': '1',
          'cache-control': 'no-cache',
        },
      },
    ],
  ])('%s', (_what, asked) => expect(accessOf(asked)).toBe('details'));
});

describe('nobody else does', () => {
  test.each<[string, Asked]>([
    ['from elsewhere', { from: '203.0.113.9' }],
    ['from the same network', { from: '192.168.1.7' }],
    ['from a connection that is gone', { from: '' }],
    ['with another name of this site', { headers: { host: 'www.trust.example' } }],
    ['with no name at all', { headers: { host: undefined as never } }],
    ['through a proxy that nobody named', { settings: publicSite }],
    [
      'through a proxy here, where only another machine is named',
      { settings: { ...publicSite, trustProxy: ['10.0.0.1'] } },
    ],
    ...[
      'x-forwarded-for',
      'x-forwarded-proto',
      'x-forwarded-host',
      'forwarded',
      'x-real-ip',
      'via',
      'cf-connecting-ip',
      'true-client-ip',
      'x-request-id',
    ].map((name): [string, Asked] => [
      `with ${name}`,
      { headers: { [name]: '127.0.0.1' }, settings: behindProxy },
    ]),
  ])('%s', (_what, asked) => expect(accessOf(asked)).toBe('public'));
});

test('a monitor with the key reads the details from anywhere, and one with another key is told apart from one without', () => {
  const from = '203.0.113.9';
  const settings = { ...behindProxy, monitorKey };
  const given = (authorization: string) =>
    accessOf({ from, settings, headers: { authorization, 'x-forwarded-for': from } });
  expect(given(`Bearer ${monitorKey}`)).toBe('details');
  expect(given(`bearer  ${monitorKey}`)).toBe('details');
  for (const wrong of [`${monitorKey}x`, monitorKey.slice(1), monitorKey.toUpperCase(), 'x'])
    expect(given(`Bearer ${wrong}`)).toBe('wrong key');
  // What some other gate in front asked for.
  expect(given('Basic dXNlcjpwYXNzd29yZA==')).toBe('public');
});

test('where no key is set no key is accepted', () => {
  for (const key of ['undefined', 'null', 'x'])
    expect(accessOf({ headers: { authorization: `Bearer ${key}` } })).toBe('wrong key');
});

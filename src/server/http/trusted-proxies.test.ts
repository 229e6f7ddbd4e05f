import { expect, test } from 'vitest';
import { proxyAddresses, trustedProxies } from './trusted-proxies.ts';

test.each<[string[], string, boolean]>([
  [['10.0.0.0/8'], '10.1.2.3', true],
  [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
  [['10.0.0.0/8'], '192.0.2.1', false],
  [['::ffff:10.0.0.0/104'], '10.1.2.3', true],
  [['2001:db8::/32'], '2001:db8::5', true],
  [['2001:db8::/32'], '2001:db9::5', false],
  [['::1'], '::1', true],
  // All of IPv4 lies in these, and nobody who writes them means it.
  [['::1/8'], '203.0.113.9', false],
  [['::1/64'], '203.0.113.9', false],
  [['::1/64'], '::ffff:203.0.113.9', false],
  [['::1/64'], '::1', true],
  [['127.0.0.1/8', '::1/8'], '127.0.0.1', true],
  [['10.0.0.0/8'], 'unknown', false],
  [['10.0.0.0/8'], '', false],
])('where TRUST_PROXY is %j, %s is trusted: %s', (trusted, address, believed) => {
  for (const hop of [0, 1]) expect(trustedProxies(trusted)?.(address, hop)).toBe(believed);
  expect(proxyAddresses(trusted)(address)).toBe(believed || address === '10.1.2.3');
});

test('with a number of hops the nearest proxy must be on this machine or its network', () => {
  const isBelieved = trustedProxies(2);
  expect(isBelieved?.('10.0.0.7', 0)).toBe(true);
  expect(isBelieved?.('203.0.113.9', 0)).toBe(false);
  expect(isBelieved?.('203.0.113.9', 1)).toBe(true);
  expect(isBelieved?.('10.0.0.7', 2)).toBe(false);
});

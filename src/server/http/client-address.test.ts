import { expect, test } from 'vitest';
import { networkOf } from './client-address.ts';

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:0::/56'],
  ['2001:db8:1:ff::1', '2001:db8:1:0::/56'],
  ['2001:db8:1:12ab::1', '2001:db8:1:1200::/56'],
  ['2001:DB8:1:2::1', '2001:db8:1:0::/56'],
  ['2001:db8::1', '2001:db8:0:0::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['something a proxy made up', 'something a proxy made up'],
])('%s counts as client %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

import { expect, test } from 'vitest';
import { isLoopbackHost, isLoopbackOrPrivate } from './address-ranges.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.3.2.1', '::1', '/var/run/postgresql'])(
  '%s is this machine',
  (host) => expect(isLoopbackHost(host)).toBe(true),
);

// Names that a resolver may lead anywhere, and addresses that others can listen on.
test.each([
  '',
  '10.0.0.1',
  '192.168.1.5',
  'localhost.trust.example',
  '127.0.0.1.example',
  '127.0.0.999',
  '127.1',
  '0.0.0.0',
  '::',
  'database',
  'fe80::1',
])('%j may be another', (host) => expect(isLoopbackHost(host)).toBe(false));

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['10.88.0.1', true],
  ['::ffff:172.17.0.1', true],
  ['fd00::2', true],
  ['203.0.113.7', false],
  ['::ffff:203.0.113.7', false],
  ['2001:db8::7', false],
  ['', false],
])('%s is on this machine or a private network: %s', (address, near) => {
  expect(isLoopbackOrPrivate(address)).toBe(near);
});

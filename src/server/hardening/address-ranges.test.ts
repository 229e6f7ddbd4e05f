import { expect, test } from 'vitest';
import { isLoopbackOrPrivate } from './address-ranges.ts';

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

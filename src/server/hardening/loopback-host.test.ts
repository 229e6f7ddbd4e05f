import { expect, test } from 'vitest';
import { isLoopbackHost } from './loopback-host.ts';

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
])('%j may be another machine', (host) => expect(isLoopbackHost(host)).toBe(false));

import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { TrustProxy } from './trusted-proxies.ts';

/**
 * The network that counts as one client: an IPv4 address, or the /56 of an IPv6 address. A household or a rented machine
 * has a /56, which would be 256 clients by /64. A /56 of a mobile network holds 256 phones, far fewer than share an IPv4
 * address there (docs/decisions/0098).
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return bare;
  // A URL writes an address in one way only, with an IPv4 address inside it in hexadecimal too.
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (!isMapped) return `${[...groups.slice(0, 3), highByteOf(groups[3])].join(':')}::/56`;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}

/** '12ab' is '1200', 'ab' is '0'. */
const highByteOf = (group = '0') => (Number.parseInt(group, 16) & 0xff00).toString(16);

export interface ClientName {
  name: string;
  /** Whether the connection was reset before its address was read. Its form may be complete all the same. */
  isUnknown: boolean;
}

/**
 * Names clients by hashes with a key that dies with the process, so that nothing in memory tells who was here. A name is
 * computed once for a connection; behind a trusted proxy, once for each request.
 */
export function createClientNames(
  trust: TrustProxy | undefined,
): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => ClientName {
  const key = randomBytes(32).toString('hex');
  const cache = new WeakMap<object, ClientName>();
  return (request) => {
    const { socket } = request;
    const cacheKey = trust ? request : socket;
    const cached = cache.get(cacheKey);
    if (cached) return cached;
    const { remoteAddress } = socket;
    const isUnknown = remoteAddress === undefined;
    const address = trust && !isUnknown ? proxyAddress(request as IncomingMessage, trust) : remoteAddress;
    const network = address === undefined ? 'unknown' : networkOf(address);
    const client = { name: hash('sha256', key + network, 'base64url'), isUnknown };
    cache.set(cacheKey, client);
    return client;
  };
}

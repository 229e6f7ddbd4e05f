import { hash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { TrustProxy } from './trusted-proxies.ts';

/**
 * Whom an address stands for: itself, or in IPv6 the /64 it is in, because one household or one phone is given all of
 * that and could come from another of its 2^64 addresses each time.
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
  if (!isMapped) return `${groups.slice(0, 4).join(':')}::/64`;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}

export interface ClientName {
  name: string;
  /** The connection was reset before anyone asked for its address; the form that came over it may be whole. */
  isGone: boolean;
}

/**
 * Names clients by hashes under a key that dies with the process, so that nothing in memory tells who was here. Once for
 * a connection, which is one client's; behind a proxy that is believed, for each request on it.
 */
export function createClientNames(
  trust: TrustProxy | undefined,
): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => ClientName {
  const key = randomBytes(32).toString('hex');
  const known = new WeakMap<object, ClientName>();
  return (request) => {
    const { socket } = request;
    const whose = trust ? request : socket;
    const before = known.get(whose);
    if (before) return before;
    const { remoteAddress } = socket;
    const isGone = remoteAddress === undefined;
    const address = trust && !isGone ? proxyAddress(request as IncomingMessage, trust) : remoteAddress;
    const network = address === undefined ? 'gone' : networkOf(address);
    const client = { name: hash('sha256', key + network, 'base64url'), isGone };
    known.set(whose, client);
    return client;
  };
}

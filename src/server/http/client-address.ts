import { hash, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

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

/** Names clients by hashes under a key that dies with the process, so that nothing in memory tells who was here. */
export function createClientNames(): (request: FastifyRequest) => ClientName {
  const key = randomBytes(32).toString('hex');
  const known = new WeakMap<FastifyRequest, ClientName>();
  return (request) => {
    const before = known.get(request);
    if (before) return before;
    const isGone = request.socket.remoteAddress === undefined;
    const whose = isGone ? 'gone' : networkOf(request.ip);
    const client = { name: hash('sha256', key + whose, 'base64url'), isGone };
    known.set(request, client);
    return client;
  };
}

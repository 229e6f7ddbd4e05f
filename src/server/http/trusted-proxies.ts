import { BlockList, isIPv6 } from 'node:net';

/** Addresses only a machine of one's own network can connect from. */
const nearby = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  nearby.addSubnet(network, prefix, 'ipv4');
}
nearby.addAddress('::1', 'ipv6');
nearby.addSubnet('fc00::', 7, 'ipv6');

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Whose X-Forwarded-For is believed: only what was named. With `true`, anyone could write themselves another address
 * (fastify#5865); a bare hop count has the same hole for whoever reaches the server past the proxy, so the nearest
 * hop must also be on this machine or its private network.
 */
export function trustedProxies(trusted: number | string[] | undefined) {
  if (typeof trusted !== 'number') return trusted ?? false;
  return (address: string, hop: number) =>
    hop < trusted && (hop > 0 || nearby.check(address, familyOf(address)));
}

/**
 * Who may stand for any number of visitors: the proxies that were named, and whoever connects from nearby. The latter
 * is a proxy too, more often than not, also where nobody thought of naming it.
 */
export function proxyAddresses(trusted: number | string[] | undefined): (address: string) => boolean {
  const named = new BlockList();
  for (const network of Array.isArray(trusted) ? trusted : []) {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) named.addAddress(address, familyOf(address));
    else named.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (address) => [nearby, named].some((list) => list.check(address, familyOf(address)));
}

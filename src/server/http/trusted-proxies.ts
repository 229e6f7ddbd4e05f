import { BlockList, isIPv6 } from 'node:net';
import { isIn, isLoopbackOrPrivate } from '../hardening/address-ranges.ts';

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** A BlockList maps all of IPv4 into ::/64, so `::1/64` would include every IPv4 address. */
const everyIpv4 = new BlockList();
everyIpv4.addSubnet('::ffff:0:0', 96, 'ipv6');

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

const isWideIpv6 = (network: string) => network.includes(':') && Number(network.split('/')[1] ?? 128) < 96;

/** Whether an address is in one of these networks. A wide IPv6 network never includes IPv4. */
function matcherOf(networks: readonly string[]): (address: string) => boolean {
  const wide = listOf(networks.filter(isWideIpv6));
  const others = listOf(networks.filter((network) => !isWideIpv6(network)));
  return (address) => isIn(others, address) || (isIn(wide, address) && !isIn(everyIpv4, address));
}

/** Whether the hop at this address is trusted. Hop 0 is connected to this server. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Trusts X-Forwarded-For of the named proxies alone. With `true` any client could choose its address (fastify#5865). A
 * bare hop count has the same hole for clients that reach the server past the proxy, so the nearest hop must also be on
 * this machine or in its private network.
 */
export function trustedProxies(trusted: number | string[] | undefined): TrustProxy | undefined {
  if (trusted === undefined) return undefined;
  const isIncluded = typeof trusted === 'number' ? isLoopbackOrPrivate : matcherOf(trusted);
  const isNearest = rememberLast(isIncluded);
  if (typeof trusted === 'number') return (address, hop) => hop < trusted && (hop > 0 || isNearest(address));
  return (address, hop) => (hop === 0 ? isNearest(address) : isIncluded(address));
}

/** The nearest hop is nearly always the same proxy, and a BlockList lookup costs more than all the rest. */
function rememberLast(isIncluded: (address: string) => boolean): (address: string) => boolean {
  let last = { address: '', isIncluded: false };
  return (address) => {
    if (last.address !== address) last = { address, isIncluded: isIncluded(address) };
    return last.isIncluded;
  };
}

/**
 * Addresses from which any number of visitors may come: the named proxies, and any loopback or private address, which is
 * usually a proxy that the settings do not name.
 */
export function proxyAddresses(trusted: number | string[] | undefined): (address: string) => boolean {
  const isNamed = matcherOf(Array.isArray(trusted) ? trusted : []);
  return (address) => isLoopbackOrPrivate(address) || isNamed(address);
}

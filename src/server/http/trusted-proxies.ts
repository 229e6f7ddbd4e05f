import { BlockList, isIPv6 } from 'node:net';
import { isIn, isNearby } from './local-addresses.ts';

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** To a list all of IPv4 is a part of IPv6, and lies in ::/64: whoever writes `::1/64` does not mean everybody. */
const everyIpv4 = new BlockList();
everyIpv4.addSubnet('::ffff:0:0', 96, 'ipv6');

function listOf(networks: readonly string[]): BlockList {
  const named = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    if (prefix === undefined) named.addAddress(address, familyOf(address));
    else named.addSubnet(address, Number(prefix), familyOf(address));
  }
  return named;
}

const isWideIpv6 = (network: string) => network.includes(':') && Number(network.split('/')[1] ?? 128) < 96;

/** Whether an address is in one of these networks; one of IPv4 only in one that was meant for it. */
function matcherOf(networks: readonly string[]): (address: string) => boolean {
  const wide = listOf(networks.filter(isWideIpv6));
  const others = listOf(networks.filter((network) => !isWideIpv6(network)));
  return (address) => isIn(others, address) || (isIn(wide, address) && !isIn(everyIpv4, address));
}

/** Whether the hop at this address is believed, 0 being the one that is connected to us. */
export type TrustProxy = (address: string, hop: number) => boolean;

/**
 * Whose X-Forwarded-For is believed: only what was named. With `true`, anyone could write themselves another address
 * (fastify#5865); a bare hop count has the same hole for whoever reaches the server past the proxy, so the nearest
 * hop must also be on this machine or its private network.
 */
export function trustedProxies(trusted: number | string[] | undefined): TrustProxy | undefined {
  if (trusted === undefined) return undefined;
  const isIncluded = typeof trusted === 'number' ? isNearby : matcherOf(trusted);
  const isNearest = rememberLast(isIncluded);
  if (typeof trusted === 'number') return (address, hop) => hop < trusted && (hop > 0 || isNearest(address));
  return (address, hop) => (hop === 0 ? isNearest(address) : isIncluded(address));
}

/** The nearest hop is nearly always the one proxy there is, and looking it up again costs more than all the rest. */
function rememberLast(isIncluded: (address: string) => boolean): (address: string) => boolean {
  let last = { address: '', isIncluded: false };
  return (address) => {
    if (last.address !== address) last = { address, isIncluded: isIncluded(address) };
    return last.isIncluded;
  };
}

/**
 * Who may stand for any number of visitors: the proxies that were named, and whoever connects from nearby. The latter
 * is a proxy too, more often than not, also where nobody thought of naming it.
 */
export function proxyAddresses(trusted: number | string[] | undefined): (address: string) => boolean {
  const isNamed = matcherOf(Array.isArray(trusted) ? trusted : []);
  return (address) => isNearby(address) || isNamed(address);
}

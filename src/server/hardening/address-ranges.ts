import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const loopbackOrPrivate = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  loopbackOrPrivate.addSubnet(network, prefix, 'ipv4');
}
loopbackOrPrivate.addAddress('::1', 'ipv6');
loopbackOrPrivate.addSubnet('fc00::', 7, 'ipv6');

/** False for a text that is no address: a proxy may write anything into X-Forwarded-For, such as `unknown`. */
export function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a connection from this address was made on this machine. */
export const isLoopback = (address: string) => isIn(loopback, address);

/** Whether a connection from this address was made on this machine or in its private network. */
export const isLoopbackOrPrivate = (address: string) => isIn(loopbackOrPrivate, address);

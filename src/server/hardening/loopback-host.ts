import { isIPv4 } from 'node:net';

/**
 * Whether a connection to this host never leaves the machine, so that nobody can read it on the way. False for any name
 * but `localhost`, because DNS may give the name another address tomorrow.
 */
export function isLoopbackHost(host: string): boolean {
  return (
    // The folder of a UNIX socket.
    host.startsWith('/') ||
    host.toLowerCase() === 'localhost' ||
    host === '::1' ||
    (isIPv4(host) && host.startsWith('127.'))
  );
}

import { isIPv4 } from 'node:net';

/**
 * Whether a connection to this host never leaves the machine, so that nobody can read it on the way. Any name but
 * `localhost` may lead elsewhere tomorrow, whatever it leads to today.
 */
export function isThisMachine(host: string): boolean {
  return (
    // The folder of a UNIX socket.
    host.startsWith('/') ||
    host.toLowerCase() === 'localhost' ||
    host === '::1' ||
    (isIPv4(host) && host.startsWith('127.'))
  );
}

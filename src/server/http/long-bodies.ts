import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientName } from './client-address.ts';

/**
 * Bytes: more than nearly anybody writes. Shorter bodies may arrive on every connection at once. A longer one, or one of
 * unknown length, is in memory until its last byte has arrived and again in the page that responds to it. On all
 * connections together that would take more memory than there is.
 */
const longBodyBytes = 16 * 1_024;

/** Each has up to 192 kB, and takes about 1 MB while the page that responds is rendered. */
const longBodiesAtOnce = 128;

/**
 * Bounds how many long bodies there are at once. Beyond that the client with the most loses its oldest one, so that each
 * client has an equal share, and nobody waits. If the lost one was stored, sending it again gives its reference.
 */
export function boundLongBodies(
  nameOf: (request: IncomingMessage) => ClientName,
  atOnce = longBodiesAtOnce,
): (request: IncomingMessage, response: ServerResponse) => void {
  /** By client. Both the clients and the requests of each are in the order in which they came. */
  const open = new Map<string, Set<IncomingMessage>>();
  let count = 0;

  function remove(client: string, request: IncomingMessage): void {
    const own = open.get(client);
    if (own?.delete(request)) count--;
    if (own?.size === 0) open.delete(client);
  }

  function closeOne(): void {
    const most = Math.max(...[...open.values()].map(({ size }) => size));
    const [client, own] = [...open].find(([, { size }]) => size === most) ?? [];
    const [oldest] = own ?? [];
    if (client === undefined || !oldest) return;
    remove(client, oldest);
    oldest.socket.destroy();
  }

  return (request, response) => {
    if (!isLong(request)) return;
    const client = nameOf(request).name;
    open.set(client, (open.get(client) ?? new Set()).add(request));
    count++;
    response.once('close', () => remove(client, request));
    if (count > atOnce) closeOne();
  };
}

const isLong = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > longBodyBytes;

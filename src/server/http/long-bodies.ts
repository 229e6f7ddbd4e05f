import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientName } from './client-address.ts';

/**
 * More than nearly anybody writes. What is this short may come on every connection at once; what is longer, and what does
 * not say how long it is, lies in memory until its last byte is here, and again in the page that answers it: all of it
 * together would be more than there is.
 */
const longBody = 16 * 1_024;

/** Of up to 192 kB, which are about 1 MB each while they are answered with a page. */
const longBodiesAtOnce = 128;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  client: string;
  proceed: () => void;
}

export type WaitForRoom = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void;

/**
 * Reads and answers so many long bodies at once, and leaves the others unread until there is room. Whoever has the fewest
 * comes next, and who has the most makes room where they only hold it: with a body that does not end, or an answer that they
 * do not read. An answer that is being made is never given up, or a flood would have all of them begun and none finished.
 */
export function boundLongBodies(
  nameOf: (request: IncomingMessage) => ClientName,
  atOnce = longBodiesAtOnce,
): WaitForRoom {
  /** Each in the order in which they came. */
  const inHand = new Set<Exchange>();
  const waiting = new Set<Exchange>();

  function countByClient(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { client } of inHand) counts.set(client, (counts.get(client) ?? 0) + 1);
    return counts;
  }

  function dropOne(): void {
    const counts = countByClient();
    const most = Math.max(...counts.values());
    for (const exchange of inHand) {
      if (counts.get(exchange.client) !== most || !isHeldUp(exchange)) continue;
      inHand.delete(exchange);
      exchange.request.socket.destroy();
      return;
    }
  }

  function letIn(): void {
    while (inHand.size < atOnce && waiting.size > 0) {
      const counts = countByClient();
      const countOf = ({ client }: Exchange) => counts.get(client) ?? 0;
      const next = [...waiting].reduce((fewest, one) => (countOf(one) < countOf(fewest) ? one : fewest));
      waiting.delete(next);
      inHand.add(next);
      next.proceed();
    }
  }

  return (request, response, proceed) => {
    if (!isLong(request)) return proceed();
    const exchange = { request, response, client: nameOf(request).name, proceed };
    waiting.add(exchange);
    response.once('close', () => {
      waiting.delete(exchange);
      if (inHand.delete(exchange)) letIn();
    });
    if (inHand.size >= atOnce) dropOne();
    letIn();
  };
}

const isLong = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > longBody;

const isHeldUp = ({ request, response }: Exchange) => !request.complete || response.writableEnded;

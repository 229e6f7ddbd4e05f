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

/** A library may have as many, and is no more to blame than who has one. */
const ordinary = 8;

/** Nobody tells when an answer that was being made begins not to be read. */
const lookAgainMs = 1_000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  client: string;
  proceed: () => void;
}

export type WaitForRoom = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void;

/**
 * Reads and answers so many long bodies at once, and leaves the others unread until there is room. Whoever has the fewest
 * comes next, and who has the most makes room where they only hold it: with an answer that they do not read, or a body that
 * does not end. An answer that is being made is never given up, or a flood would have all of them begun and none finished.
 */
export function boundLongBodies(
  nameOf: (request: IncomingMessage) => ClientName,
  atOnce = longBodiesAtOnce,
): WaitForRoom {
  const inHand = new Set<Exchange>();
  /** By client, and each client's in the order in which they came. */
  const waiting = new Map<string, Set<Exchange>>();
  let lookingAgain: NodeJS.Timeout | undefined;

  function countByClient(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { client } of inHand) counts.set(client, (counts.get(client) ?? 0) + 1);
    return counts;
  }

  /** The one whose connection has brought the least: that of a phone that still sends has brought more than a promise. */
  function dropOne(): void {
    const counts = countByClient();
    const most = Math.max(...counts.values());
    const many = most > ordinary ? most : 1;
    const heldUp = [...inHand].filter((one) => (counts.get(one.client) ?? 0) >= many && isHeldUp(one));
    if (heldUp.length === 0) return;
    const worst = heldUp.reduce((least, one) => (broughtBy(one) < broughtBy(least) ? one : least));
    inHand.delete(worst);
    worst.request.socket.destroy();
  }

  /** Found soon, however many wait: only so many clients as there is room for can have any in hand. */
  function findNext(): Exchange | undefined {
    const counts = countByClient();
    let fewest = Number.POSITIVE_INFINITY;
    let next: Exchange | undefined;
    for (const [client, [first]] of waiting) {
      const count = counts.get(client) ?? 0;
      if (count < fewest) [fewest, next] = [count, first];
      if (fewest === 0) break;
    }
    return next;
  }

  function leaveLine(exchange: Exchange): void {
    const line = waiting.get(exchange.client);
    line?.delete(exchange);
    if (line?.size === 0) waiting.delete(exchange.client);
  }

  function letIn(): void {
    while (inHand.size < atOnce) {
      const next = findNext();
      if (!next) return;
      leaveLine(next);
      inHand.add(next);
      next.proceed();
    }
  }

  function makeRoom(): void {
    clearTimeout(lookingAgain);
    if (waiting.size > 0 && inHand.size >= atOnce) dropOne();
    letIn();
    if (waiting.size > 0) lookingAgain = setTimeout(makeRoom, lookAgainMs).unref();
  }

  return (request, response, proceed) => {
    if (!isLong(request)) return proceed();
    const client = nameOf(request).name;
    const exchange = { request, response, client, proceed };
    const line = waiting.get(client) ?? new Set();
    waiting.set(client, line.add(exchange));
    response.once('close', () => {
      leaveLine(exchange);
      if (inHand.delete(exchange)) letIn();
    });
    makeRoom();
  };
}

const isLong = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > longBody;

const isHeldUp = ({ request, response }: Exchange) => !request.complete || response.writableEnded;

/** Whose answer has been made already loses nothing that was sent. */
const broughtBy = ({ request, response }: Exchange) =>
  response.writableEnded ? 0 : request.socket.bytesRead;

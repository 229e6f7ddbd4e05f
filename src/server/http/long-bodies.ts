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

/**
 * A connection that brings less than this in so many milliseconds stalls. It loses nothing by being closed: at that pace
 * no long body is here within the 30 s that a request may take (http-server.ts).
 */
const progressBytes = 2_560;
const graceMs = 5_000;

/** A library may have as many under way. One with more makes room where nobody stalls and all places are taken. */
const ordinary = 8;

/** Time alone makes a connection one that stalls: no event tells of it. */
const lookAgainMs = 1_000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  client: string;
  proceed: () => void;
  /** When it was let in. */
  since: number;
  /** When its connection last made progress, and how much it had brought by then. */
  progressAt: number;
  bytes: number;
  isAnswered: boolean;
}

export type WaitForRoom = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void;

/**
 * Reads and answers so many long bodies at once, and leaves the others unread until there is room. Whoever has the fewest
 * comes next. Room is made by closing the connection that has stalled for longest, once it has for some seconds: its body
 * does not come, or its answer is not read; where none stalls, one of the client that has by far the most. Never by closing one that has only just come, whose first bytes are under way,
 * nor one whose answer is being made, or a flood would have all of them begun and none finished.
 */
export function boundLongBodies(
  nameOf: (request: IncomingMessage) => ClientName,
  atOnce = longBodiesAtOnce,
  clock: () => number = () => performance.now(),
): WaitForRoom {
  const inHand = new Set<Exchange>();
  /** By client, and each client's in the order in which they came. */
  const waiting = new Map<string, Set<Exchange>>();
  let lookingAgain: NodeJS.Timeout | undefined;
  let lookAgainAt = Number.POSITIVE_INFINITY;

  function countByClient(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { client } of inHand) counts.set(client, (counts.get(client) ?? 0) + 1);
    return counts;
  }

  function noteProgress(now: number): void {
    for (const one of inHand) {
      const { request, response } = one;
      const { bytesRead } = request.socket;
      const isAnswered = response.writableEnded;
      const isBeingAnswered = request.complete && !isAnswered;
      const hasMoved = isAnswered !== one.isAnswered || bytesRead >= one.bytes + progressBytes;
      if (isBeingAnswered || hasMoved) Object.assign(one, { progressAt: now, bytes: bytesRead, isAnswered });
    }
  }

  /** Returns whether there was one. */
  function closeLongestStalled(now: number): boolean {
    let worst: Exchange | undefined;
    for (const one of inHand)
      if (now - one.progressAt >= graceMs && one.progressAt < (worst?.progressAt ?? now)) worst = one;
    if (worst) close(worst);
    return worst !== undefined;
  }

  function close(exchange: Exchange): void {
    inHand.delete(exchange);
    exchange.request.socket.destroy();
  }

  /**
   * Where one client has most of the places with bodies that come slowly, and another has to wait: the one that was let in
   * first goes. A client with no more than a library has loses nothing.
   */
  function closeOneOfMost(now: number): boolean {
    const counts = countByClient();
    const most = Math.max(...counts.values());
    const next = findNext();
    if (!next || most <= ordinary || (counts.get(next.client) ?? 0) >= ordinary) return false;
    for (const one of inHand)
      if (counts.get(one.client) === most && !one.request.complete && now - one.since >= graceMs) {
        close(one);
        return true;
      }
    return false;
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
      next.progressAt = next.since = clock();
      inHand.add(next);
      next.proceed();
    }
  }

  function makeRoom(): void {
    clearTimeout(lookingAgain);
    const now = clock();
    // While the server itself was held up it read nothing, so nobody has stalled in that time.
    const lateMs = Math.max(0, now - lookAgainAt);
    for (const one of inHand) one.progressAt += lateMs;
    noteProgress(now);
    do letIn();
    while (waiting.size > 0 && (closeLongestStalled(now) || closeOneOfMost(now)));
    lookAgainAt = waiting.size > 0 ? now + lookAgainMs : Number.POSITIVE_INFINITY;
    if (waiting.size > 0) lookingAgain = setTimeout(makeRoom, lookAgainMs).unref();
  }

  return (request, response, proceed) => {
    if (!isLong(request)) return proceed();
    const client = nameOf(request).name;
    const { bytesRead } = request.socket;
    const exchange = {
      request,
      response,
      client,
      proceed,
      since: 0,
      progressAt: 0,
      bytes: bytesRead,
      isAnswered: false,
    };
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

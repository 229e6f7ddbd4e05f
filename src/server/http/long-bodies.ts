import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientName } from './client-address.ts';

/**
 * Bytes, more than nearly anybody writes. Shorter bodies may come on every connection at once. A longer one, or one of
 * unknown length, is in memory until its last byte is here and again in the page that responds to it: on all connections
 * together that would be more memory than there is.
 */
const longBody = 16 * 1_024;

/** Of up to 192 kB, about 1 MB each while the page that responds is rendered. */
const longBodiesAtOnce = 128;

/**
 * A connection that brings fewer bytes than this in so many milliseconds stalls. Closing it loses nothing: at that rate
 * no long body is complete within the 30 s of a request (http-server.ts).
 */
const progressBytes = 2_560;
const graceMs = 5_000;

/** A library may have as many at once. A client with more loses one where no connection stalls and no slot is free. */
const ordinaryPerClient = 8;

/** A connection stalls by time alone, without an event. */
const checkEveryMs = 1_000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  client: string;
  proceed: () => void;
  /** When its body began to be read. */
  since: number;
  /** When its connection last made progress, and how many bytes it had brought by then. */
  progressAt: number;
  bytes: number;
  isResponseEnded: boolean;
}

type AdmitBody = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void;

/**
 * Reads and answers so many long bodies at once, and leaves the others unread until a slot is free. The client with the
 * fewest comes next. A slot is freed by closing the connection that has stalled for longest, after some seconds (its body
 * does not come, or its response is not read); where none stalls, one of the client that has by far the most. A new
 * connection is never closed, nor one whose response is being made: a flood would begin all of them and finish none.
 */
export function boundLongBodies(
  nameOf: (request: IncomingMessage) => ClientName,
  atOnce = longBodiesAtOnce,
  clock: () => number = () => performance.now(),
): AdmitBody {
  const active = new Set<Exchange>();
  /** By client, and each client's in the order in which they came. */
  const waiting = new Map<string, Set<Exchange>>();
  let checkTimer: NodeJS.Timeout | undefined;
  let checkDueAt = Number.POSITIVE_INFINITY;

  function countByClient(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { client } of active) counts.set(client, (counts.get(client) ?? 0) + 1);
    return counts;
  }

  function noteProgress(now: number): void {
    for (const one of active) {
      const { request, response } = one;
      const { bytesRead } = request.socket;
      const isResponseEnded = response.writableEnded;
      const isBeingHandled = request.complete && !isResponseEnded;
      const hasMoved = isResponseEnded !== one.isResponseEnded || bytesRead >= one.bytes + progressBytes;
      if (isBeingHandled || hasMoved)
        Object.assign(one, { progressAt: now, bytes: bytesRead, isResponseEnded });
    }
  }

  /** Returns whether one was closed. */
  function closeLongestStalled(now: number): boolean {
    let worst: Exchange | undefined;
    for (const one of active)
      if (now - one.progressAt >= graceMs && one.progressAt < (worst?.progressAt ?? now)) worst = one;
    if (worst) close(worst);
    return worst !== undefined;
  }

  function close(exchange: Exchange): void {
    active.delete(exchange);
    exchange.request.socket.destroy();
  }

  /**
   * Where one client has most of the slots with bodies that come slowly, and another client has to wait: its oldest is
   * closed. A client with no more than a library has loses nothing.
   */
  function closeOneOfMost(now: number): boolean {
    const counts = countByClient();
    const most = Math.max(...counts.values());
    const next = findNext();
    if (!next || most <= ordinaryPerClient || (counts.get(next.client) ?? 0) >= ordinaryPerClient)
      return false;
    for (const one of active)
      if (counts.get(one.client) === most && !one.request.complete && now - one.since >= graceMs) {
        close(one);
        return true;
      }
    return false;
  }

  /** Short for any number of waiting clients: only as many clients as there are slots can have an active body. */
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

  function leaveQueue(exchange: Exchange): void {
    const queue = waiting.get(exchange.client);
    queue?.delete(exchange);
    if (queue?.size === 0) waiting.delete(exchange.client);
  }

  function admitWaiting(): void {
    while (active.size < atOnce) {
      const next = findNext();
      if (!next) return;
      leaveQueue(next);
      next.progressAt = next.since = clock();
      active.add(next);
      next.proceed();
    }
  }

  function makeRoom(): void {
    clearTimeout(checkTimer);
    const now = clock();
    // While the server itself was blocked it read nothing, so no connection has stalled in that time.
    const lateMs = Math.max(0, now - checkDueAt);
    for (const one of active) one.progressAt += lateMs;
    noteProgress(now);
    do admitWaiting();
    while (waiting.size > 0 && (closeLongestStalled(now) || closeOneOfMost(now)));
    checkDueAt = waiting.size > 0 ? now + checkEveryMs : Number.POSITIVE_INFINITY;
    if (waiting.size > 0) checkTimer = setTimeout(makeRoom, checkEveryMs).unref();
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
      isResponseEnded: false,
    };
    const queue = waiting.get(client) ?? new Set();
    waiting.set(client, queue.add(exchange));
    response.once('close', () => {
      leaveQueue(exchange);
      if (active.delete(exchange)) admitWaiting();
    });
    makeRoom();
  };
}

const isLong = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > longBody;

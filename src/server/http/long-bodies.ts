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
 * A connection stalls if it brings less than `progressBytes` in `graceMs`. Closing it loses nothing: at that rate no long
 * body is complete within the 30 s that a request may take (http-server.ts).
 */
const progressBytes = 2_560;
const graceMs = 5_000;

/** As many as a public library may send. A client with more loses one where no slot is free and no connection stalls. */
const ordinaryPerClient = 8;

/** No event tells that a connection stalls, so a timer checks. */
const checkEveryMs = 1_000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  client: string;
  proceed: () => void;
  /** When the body began to be read. */
  admittedAt: number;
  /** When the connection last made progress, and how many bytes it had brought by then. */
  progressAt: number;
  bytes: number;
  isResponseEnded: boolean;
}

type AdmitBody = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void;

/**
 * Admits `atOnce` requests with long bodies, and leaves the other bodies unread until a slot is free. The client with the
 * fewest slots is next. Where requests wait, a slot is freed by closing the connection that has stalled for longest,
 * because its body does not arrive or its response is not read; where none stalls, a connection of the client that has by
 * far the most. A connection is not closed while it is new or its response is being made: otherwise a flood could begin
 * all requests and finish none.
 */
export function boundLongBodies(
  nameOf: (request: IncomingMessage) => ClientName,
  atOnce = longBodiesAtOnce,
  clock: () => number = () => performance.now(),
): AdmitBody {
  const active = new Set<Exchange>();
  /** By client, in the order in which the requests came. */
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

  /** Closes the connection without progress for longest. Returns whether one was closed. */
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
   * Closes the oldest unfinished request of the client with the most, where another client has to wait. A client with no
   * more than an ordinary number loses nothing. Returns whether one was closed.
   */
  function closeOneOfMost(now: number): boolean {
    const counts = countByClient();
    const most = Math.max(...counts.values());
    const next = findNext();
    if (!next || most <= ordinaryPerClient || (counts.get(next.client) ?? 0) >= ordinaryPerClient)
      return false;
    for (const one of active)
      if (counts.get(one.client) === most && !one.request.complete && now - one.admittedAt >= graceMs) {
        close(one);
        return true;
      }
    return false;
  }

  /** Quick for any number of waiting clients: only as many clients as there are slots can have an active request. */
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
      next.progressAt = next.admittedAt = clock();
      active.add(next);
      next.proceed();
    }
  }

  function serveQueue(): void {
    clearTimeout(checkTimer);
    const now = clock();
    // The server reads nothing while it is busy, so the time by which this check is late counts against no connection.
    const lateMs = Math.max(0, now - checkDueAt);
    for (const one of active) one.progressAt += lateMs;
    noteProgress(now);
    do admitWaiting();
    while (waiting.size > 0 && (closeLongestStalled(now) || closeOneOfMost(now)));
    checkDueAt = waiting.size > 0 ? now + checkEveryMs : Number.POSITIVE_INFINITY;
    if (waiting.size > 0) checkTimer = setTimeout(serveQueue, checkEveryMs).unref();
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
      admittedAt: 0,
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
    serveQueue();
  };
}

const isLong = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > longBodyBytes;

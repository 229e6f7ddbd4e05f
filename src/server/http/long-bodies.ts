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

/** Milliseconds. A body has a third of the time that a request may take (http-server.ts) before it gives way to waiting ones. */
const overdueMs = 10_000;

/** Milliseconds. No event tells that a body is overdue or a response not read, so a timer checks while requests wait. */
const checkEveryMs = 1_000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  proceed: () => void;
  /** When the body began to be read. */
  admittedAt: number;
}

type AdmitBody = (request: IncomingMessage, response: ServerResponse, proceed: () => void) => void;

/**
 * A semaphore for long bodies, of whose slots each client has an equal share. Bodies beyond `atOnce` wait unread. The
 * client with the fewest slots is next. Where none is free, the client with the most loses its oldest, if it then still has
 * as many as the next client gets. Of clients with equal shares, one loses a body that is overdue. No body is cut off whose
 * response is being made.
 */
export function boundLongBodies(
  nameOf: (request: IncomingMessage) => ClientName,
  atOnce = longBodiesAtOnce,
): AdmitBody {
  /** By client, in the order in which they came. A client has an entry in both or in neither. */
  const active = new Map<string, Set<Exchange>>();
  const waiting = new Map<string, Set<Exchange>>();
  let activeCount = 0;
  let checkTimer: NodeJS.Timeout | undefined;

  const slotsOf = (client: string) => active.get(client)?.size ?? 0;

  function leave(client: string, exchange: Exchange): void {
    if (remove(active, client, exchange)) activeCount--;
    remove(waiting, client, exchange);
  }

  /** Ends quickly for any number of waiting clients: only as many as there are slots can have one. */
  function findNextClient(): string | undefined {
    let next: string | undefined;
    for (const client of waiting.keys()) {
      if (next === undefined || slotsOf(client) < slotsOf(next)) next = client;
      if (slotsOf(next) === 0) break;
    }
    return next;
  }

  /** Closes a body so that the next of this client can be read. Returns whether one was closed. */
  function closeOneFor(next: string): boolean {
    const slots = slotsOf(next);
    for (const [client, all] of [...active].sort(([, a], [, b]) => b.size - a.size)) {
      const hasMore = all.size > slots + 1;
      const mayReplace = client === next || all.size > slots;
      const found = [...all].find(
        (one) => !isBeingHandled(one) && (hasMore || (mayReplace && isOverdue(one))),
      );
      if (!found) continue;
      leave(client, found);
      found.request.socket.destroy();
      return true;
    }
    return false;
  }

  function serve(): void {
    clearTimeout(checkTimer);
    for (let client = findNextClient(); client !== undefined; client = findNextClient()) {
      if (activeCount >= atOnce) {
        if (closeOneFor(client)) continue;
        checkTimer = setTimeout(serve, checkEveryMs).unref();
        return;
      }
      const [next] = waiting.get(client) as Iterable<Exchange>;
      if (!next) return;
      remove(waiting, client, next);
      next.admittedAt = performance.now();
      add(active, client, next);
      activeCount++;
      next.proceed();
    }
  }

  return (request, response, proceed) => {
    if (!isLong(request)) return proceed();
    const client = nameOf(request).name;
    const exchange = { request, response, proceed, admittedAt: 0 };
    add(waiting, client, exchange);
    response.once('close', () => {
      leave(client, exchange);
      serve();
    });
    serve();
  };
}

const isLong = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > longBodyBytes;

const isBeingHandled = ({ request, response }: Exchange) => request.complete && !response.writableEnded;

const isOverdue = ({ admittedAt }: Exchange) => performance.now() - admittedAt >= overdueMs;

function add(all: Map<string, Set<Exchange>>, client: string, exchange: Exchange): void {
  all.set(client, (all.get(client) ?? new Set()).add(exchange));
}

function remove(all: Map<string, Set<Exchange>>, client: string, exchange: Exchange): boolean {
  const own = all.get(client);
  const isRemoved = own?.delete(exchange) ?? false;
  if (own?.size === 0) all.delete(client);
  return isRemoved;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ClientQuota, type CountedClient, createQuotas } from '../submissions/quota.ts';
import { createClientNames } from './client-address.ts';
import { createPacing, type PacedClient } from './request-pacing.ts';
import type { TrustProxy } from './trusted-proxies.ts';

/** Visitors whose address is unknown, because their connection was reset, count as one client with ten times the quota. */
const unknownWeight = 10;

/**
 * Bytes of a posted form that cost as much as one page from memory, when they are rendered into the page again. At this
 * price the longest form is served within 30 s while 255 connections of its address ask without pause.
 */
const costBytes = 8_192;
/**
 * Bytes of the longest form that is read from a browser without a script: three times the limit of JSON, because
 * URL encoding writes a letter of three bytes in nine. A client that does not say how long its form is pays for all of it.
 */
export const maxPostBytes = 192 * 1_024;

/** The unit is a page from memory. Reading a body or making a challenge costs 2, rendering a page for one visitor 10 and more. */
function costOf({ method, url = '', headers }: PacedRequest): number {
  if (method === 'GET' || method === 'HEAD') return url.startsWith('/bot-check/') ? 2 : 1;
  if (url.startsWith('/graphql')) return 2;
  const length = headers['transfer-encoding'] ? maxPostBytes : Number(headers['content-length'] ?? 0);
  return 10 + Math.min(length, maxPostBytes) / costBytes;
}

type Client = PacedClient & CountedClient;

export type PacedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>;

interface ClientLimitsOptions {
  /** The proxies whose X-Forwarded-For is believed. */
  trust?: TrustProxy | undefined;
  /** Milliseconds of a monotonic clock: when the time of day is set back, a window would last for days. */
  clock?: () => number;
  /** From 0 to 1. */
  random?: () => number;
  /** How many clients are remembered; the least recently seen is forgotten first. 20,000 take about 10 MB. */
  maxClients?: number;
}

export function createClientLimits({
  trust,
  clock = () => performance.now(),
  random = Math.random,
  maxClients = 20_000,
}: ClientLimitsOptions = {}) {
  const nameOf = createClientNames(trust);
  const pacing = createPacing(clock);
  const quotas = createQuotas(clock, random);
  const waiting = new WeakSet<PacedRequest>();
  /** The least recently seen comes first. */
  const clients = new Map<string, Client>();

  // One iterator for all calls: a new one would first pass over the holes of thousands of deleted entries.
  let oldestFirst = clients.keys();
  function forgetOldest(): void {
    const oldest = oldestFirst.next();
    if (!oldest.done) clients.delete(oldest.value);
    else oldestFirst = clients.keys();
  }

  function find(request: PacedRequest): Client {
    const { name, isUnknown } = nameOf(request);
    const client = clients.get(name) ?? {
      weight: isUnknown ? unknownWeight : 1,
      windows: {},
      dueAt: Number.NEGATIVE_INFINITY,
    };
    clients.delete(name);
    clients.set(name, client);
    while (clients.size > maxClients) forgetOldest();
    return client;
  }

  /** Charges this request if it need not wait. Returns whether it was charged. */
  const tryAdmit = (request: PacedRequest): boolean => pacing.tryCharge(find(request), costOf(request));

  return {
    tryAdmit,

    /**
     * Calls `proceed` when this request may go on, and never if its response is closed before. Called before the body is
     * read, so that a request that waits costs next to nothing. No request is refused for how many wait: a person may be
     * among them, and connections.ts bounds their number.
     */
    pace(request: PacedRequest, response: Pick<ServerResponse, 'once' | 'off'>, proceed: () => void) {
      if (tryAdmit(request)) return proceed();
      waiting.add(request);
      const withdraw = pacing.enqueue(find(request), request.socket, costOf(request), () => {
        response.off('close', withdraw);
        waiting.delete(request);
        proceed();
      });
      response.once('close', withdraw);
    },

    /** Whether this request waits in `pace`: its client asks for more than people do. */
    isPaced: (request: PacedRequest): boolean => waiting.has(request),

    quotaOf(request: PacedRequest): ClientQuota {
      // The client is named now, because a connection loses its address when it is reset.
      nameOf(request);
      return quotas.quotaOf(() => find(request));
    },

    /**
     * Counts a request to /graphql. Returns the seconds to wait, or null. A submission of our own pages is neither counted nor
     * refused: a refusal would show a visitor at the same address that somebody has sent a form.
     */
    allowGraphql: (request: PacedRequest, isOwnSubmission: boolean): number | null =>
      isOwnSubmission ? null : quotas.count(find(request), 'graphql'),

    /** Counts a challenge. `hard`: the client has asked for more than people need. */
    countChallenge: (request: PacedRequest): { hard: boolean } => ({
      hard: quotas.count(find(request), 'challenges') !== null,
    }),

    /** How many clients are remembered. */
    get size(): number {
      return clients.size;
    },
  };
}

export type ClientLimits = ReturnType<typeof createClientLimits>;

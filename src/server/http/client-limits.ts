import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientQuota } from '../submissions/quota.ts';
import { createClientNames } from './client-address.ts';
import { createPacing, type PacedClient } from './request-pacing.ts';
import type { TrustProxy } from './trusted-proxies.ts';

/** How much one client may do in a time window, and what happens beyond that. docs/decisions/0045 has the reasons. */

const minuteMs = 60_000;
const windowMs = 10 * minuteMs;

/**
 * By address. A whole library, refuge or mobile network may share one, so no quota prevents a form from being
 * sent: forms that fail the bot check are counted separately from forms that pass, and those that pass are only flagged.
 */
const quotas = {
  /** Forms that did not pass the bot check. Beyond the quota the client is told to wait. */
  junk: { windowMs, most: 60 },
  /** Forms that were stored. Beyond the quota they are stored and flagged. */
  stored: { windowMs, most: 60 },
  /** Forms without a script that are mailed one by one. Beyond the quota they are mailed together. */
  noScript: { windowMs, most: 10 },
  /** Everything to /graphql. Sixty people who send a form, each with the four tries of a bad signal, need 240. */
  graphql: { windowMs, most: 600 },
  /** Challenges. Beyond the quota they are harder. Each is new: of two visitors with the same one, only the first could use it. */
  challenges: { windowMs, most: 240 },
  /** Forms of the last hour. Mail is ordered by a form's number in it: a client that floods has one first form an hour. */
  ranks: { windowMs: 60 * minuteMs, most: Number.POSITIVE_INFINITY },
} as const;
type QuotaName = keyof typeof quotas;
/** Quotas that a client can see the end of, because the response then differs. */
const visibleQuotas: ReadonlySet<QuotaName> = new Set(['junk', 'graphql', 'challenges']);

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

interface Window {
  counted: number;
  most: number;
  endsAt: number;
}

interface Client extends PacedClient {
  windows: Partial<Record<QuotaName, Window>>;
}

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

  /**
   * A visible quota is made larger by a random part, up to one half, in each window. Otherwise a client could use all but
   * one of the quota of a shared address, and the first refusal would show that somebody else was here.
   */
  const drawQuota = (name: QuotaName) =>
    visibleQuotas.has(name) ? Math.round(quotas[name].most * (1 + random() / 2)) : quotas[name].most;

  function windowOf(client: Client, name: QuotaName): Window {
    const now = clock();
    let window = client.windows[name];
    if (!window || window.endsAt <= now) {
      window = { counted: 0, most: drawQuota(name) * client.weight, endsAt: now + quotas[name].windowMs };
      client.windows[name] = window;
    }
    return window;
  }

  const isUsedUp = ({ counted, most }: Window) => counted >= most;

  /** Counts the request and returns null. Where the quota is used up: the seconds until its window ends. */
  function count(request: PacedRequest, name: QuotaName): number | null {
    const window = windowOf(find(request), name);
    if (isUsedUp(window)) return Math.ceil((window.endsAt - clock()) / 1_000);
    window.counted++;
    return null;
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
      return {
        countJunk: () => count(request, 'junk'),
        hasSentMany: () => isUsedUp(windowOf(find(request), 'stored')),
        countStored: () => void count(request, 'stored'),
        countNoScript: () => (count(request, 'noScript') === null ? 'alone' : 'held'),
        takeRank() {
          const window = windowOf(find(request), 'ranks');
          window.counted++;
          return { rank: window.counted, release: () => void window.counted-- };
        },
      };
    },

    /**
     * Counts a request to /graphql. Returns the seconds to wait, or null. A known submission is neither counted nor
     * refused: a refusal would show a visitor at the same address that somebody has sent a form.
     */
    allowGraphql: (request: PacedRequest, knownSubmission: boolean): number | null =>
      knownSubmission ? null : count(request, 'graphql'),

    /** Counts a challenge. `hard`: the client has asked for more than people need. */
    countChallenge: (request: PacedRequest): { hard: boolean } => ({
      hard: count(request, 'challenges') !== null,
    }),

    /** How many clients are remembered. */
    get size(): number {
      return clients.size;
    },
  };
}

export type ClientLimits = ReturnType<typeof createClientLimits>;

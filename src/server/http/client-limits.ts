import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientQuota } from '../submissions/quota.ts';
import { createClientNames } from './client-address.ts';
import { createPacing, type PacedClient } from './request-pacing.ts';
import type { TrustProxy } from './trusted-proxies.ts';

/** What one client may do in a while, and what happens beyond it. docs/decisions/0045 has the reasons. */

const minuteMs = 60_000;
const windowMs = 10 * minuteMs;

/**
 * By address. A whole library, refuge or mobile network may share one, so no number here prevents a form from being
 * sent: junk is counted apart from what passed the bot check, and what passed is only flagged.
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
  /** Challenges. Beyond the quota they are harder. Never one twice: the first who solves it would spend it for the other. */
  challenges: { windowMs, most: 240 },
  /** Forms by their number within the hour, by which mail is ordered: a flood has one first form an hour. */
  ranks: { windowMs: 60 * minuteMs, most: Number.POSITIVE_INFINITY },
} as const;
type Counted = keyof typeof quotas;
/** Quotas that show in the response. */
const visibleQuotas: ReadonlySet<Counted> = new Set(['junk', 'graphql', 'challenges']);

/** Visitors whose address is not known, because their connection was reset, count together and get room for ten. */
const unknownWeight = 10;

/**
 * A page with so many bytes of what was typed is as much work again as any page from memory. Small enough that the
 * longest message that one may type is served within 30 s while 255 connections of its address ask without pause.
 */
const costBytes = 8_192;
/**
 * The longest form that is read from a browser without a script: a letter of three bytes takes nine there, so three
 * times the limit of JSON. Browsers say how long a form is; a client that does not may send as much as this.
 */
export const maxPostBytes = 192 * 1_024;

/** In pages from memory: reading a body or making a challenge costs two, rendering a page for one visitor ten and more. */
function costOf({ method, url = '', headers }: PacedRequest): number {
  if (method === 'GET' || method === 'HEAD') return url.startsWith('/bot-check/') ? 2 : 1;
  if (url.startsWith('/graphql')) return 2;
  const length = headers['transfer-encoding'] ? maxPostBytes : Number(headers['content-length'] ?? 0);
  return 10 + Math.min(length, maxPostBytes) / costBytes;
}

interface Window {
  counted: number;
  /** The quota of this window. */
  most: number;
  endsAt: number;
}

interface Client extends PacedClient {
  windows: Partial<Record<Counted, Window>>;
}

export type PacedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>;

export interface ClientLimits {
  /** Charges this request only where it need not wait. Returns whether it did. */
  tryAdmit(request: PacedRequest): boolean;
  /** Calls `proceed` when this request may go on; never where its response is closed before. */
  pace(request: PacedRequest, response: Pick<ServerResponse, 'once' | 'off'>, proceed: () => void): void;
  /** Whether this request waits in `pace`: its client asks for more than people do. */
  isPaced(request: PacedRequest): boolean;
  quotaOf(request: PacedRequest): ClientQuota;
  /** Counts a request to /graphql. Seconds to wait, or null; a known submission is neither counted nor refused. */
  allowGraphql(request: PacedRequest, knownSubmission: boolean): number | null;
  /** Counts a challenge. Hard: the address asks for more than people need. */
  countChallenge(request: PacedRequest): { hard: boolean };
  /** How many clients are remembered. */
  readonly size: number;
}

interface ClientLimitsOptions {
  /** Which proxies tell who is behind them. */
  trust?: TrustProxy | undefined;
  /** Milliseconds of a clock that nobody sets: with the time of day an address could be refused for days. */
  clock?: () => number;
  /** From 0 to 1. */
  random?: () => number;
  /** How many clients are remembered; the least recently seen is forgotten first. 20,000 take about 10 MB. */
  addresses?: number;
}

export function createClientLimits({
  trust,
  clock = () => performance.now(),
  random = Math.random,
  addresses = 20_000,
}: ClientLimitsOptions = {}): ClientLimits {
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
    while (clients.size > addresses) forgetOldest();
    return client;
  }

  /**
   * Up to half as many more, drawn for each window. A client that knew the quota of a shared address could use it up
   * to the last one, and then see that somebody else was here.
   */
  const drawQuota = (what: Counted) =>
    visibleQuotas.has(what) ? Math.round(quotas[what].most * (1 + random() / 2)) : quotas[what].most;

  function windowOf(client: Client, what: Counted): Window {
    const now = clock();
    let window = client.windows[what];
    if (!window || window.endsAt <= now) {
      window = { counted: 0, most: drawQuota(what) * client.weight, endsAt: now + quotas[what].windowMs };
      client.windows[what] = window;
    }
    return window;
  }

  const isFull = ({ counted, most }: Window) => counted >= most;

  /** Seconds until the window ends, where its quota is used up. */
  function count(request: PacedRequest, what: Counted): number | null {
    const window = windowOf(find(request), what);
    if (isFull(window)) return Math.ceil((window.endsAt - clock()) / 1_000);
    window.counted++;
    return null;
  }

  const tryAdmit = (request: PacedRequest) => pacing.tryCharge(find(request), costOf(request));

  return {
    tryAdmit,

    // Before the body is read: a request that waits costs next to nothing. None is refused for how many wait, because a
    // person may be among them, and connections.ts bounds the connections.
    pace(request, response, proceed) {
      if (tryAdmit(request)) return proceed();
      waiting.add(request);
      const withdraw = pacing.enqueue(find(request), request.socket, costOf(request), () => {
        response.off('close', withdraw);
        waiting.delete(request);
        proceed();
      });
      response.once('close', withdraw);
    },

    isPaced: (request) => waiting.has(request),

    quotaOf(request) {
      // Named now, while the connection still knows its address.
      nameOf(request);
      return {
        countJunk: () => count(request, 'junk'),
        hasSentMany: () => isFull(windowOf(find(request), 'stored')),
        countStored: () => void count(request, 'stored'),
        countNoScript: () => (count(request, 'noScript') === null ? 'alone' : 'held'),
        takeRank() {
          const window = windowOf(find(request), 'ranks');
          window.counted++;
          return { rank: window.counted, release: () => void window.counted-- };
        },
      };
    },

    // A submission is not counted: others at its address would see by their own refusal that somebody has sent one.
    allowGraphql: (request, knownSubmission) => (knownSubmission ? null : count(request, 'graphql')),

    countChallenge: (request) => ({ hard: count(request, 'challenges') !== null }),

    get size() {
      return clients.size;
    },
  };
}

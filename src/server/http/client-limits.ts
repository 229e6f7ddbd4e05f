import type { IncomingMessage } from 'node:http';
import type { ClientQuota } from '../submissions/quota.ts';
import { createClientNames } from './client-address.ts';
import { createClientPace, type PacedClient } from './client-pace.ts';
import { createSenderRanks } from './quota-ranks.ts';
import type { TrustProxy } from './trusted-proxies.ts';

/** What one client may do in a while, and what happens beyond it. docs/decisions/0045 has the reasons. */

/**
 * Per address and ten minutes. A whole library, refuge or mobile network may share one address, so no number here
 * keeps a form from being sent: junk is counted apart from what passed the bot check, and what passed is only flagged.
 */
const perWindow = {
  /** Forms that did not pass. More are told to wait. */
  junk: 60,
  /** Forms that were kept. More are kept too, and flagged. */
  kept: 60,
  /** Forms without a script whose mail goes out one by one. More are kept too, and their mail comes in one. */
  plain: 10,
  /** Everything to /graphql. Sixty people who send a form, each with the four tries of a bad signal, need 240. */
  graphql: 600,
  /** Challenges. More are harder. Never the same one twice: whoever solves it first would spend it for the other. */
  challenges: 240,
} as const;
type Counted = keyof typeof perWindow;
/** Whose bound shows in what a client is answered. */
const isSeen: ReadonlySet<Counted> = new Set(['junk', 'graphql', 'challenges']);
const windowMs = 10 * 60 * 1000;

/** Visitors who were gone before they could be asked for their address count together, so they get room for ten. */
const roomForGone = 10;

/**
 * A page with so many bytes of what was typed is as much work again as any page that is there already. Small enough that
 * the longest message that one may type goes on within 30 s while 255 connections of its address ask without pause.
 */
const turnBytes = 8_192;
/**
 * The longest form that is taken from a browser by itself: a letter of three bytes takes nine there, so three times what
 * one may have as JSON. No browser posts one without saying how long it is; who does may be sending as much.
 */
export const longestPost = 192 * 1_024;
/**
 * What is more work takes more turns: reading a body or making a challenge that of two, making a page for one visitor
 * that of ten, and more where all that was typed stands in that page again.
 */
function costOf({ method, url = '', headers }: PacedRequest): number {
  if (method === 'GET' || method === 'HEAD') return url.startsWith('/bot-check/') ? 2 : 1;
  if (url.startsWith('/graphql')) return 2;
  const length = headers['transfer-encoding'] ? longestPost : Number(headers['content-length'] ?? 0);
  return 10 + Math.min(length, longestPost) / turnBytes;
}

interface Count {
  counted: number;
  /** How many there is room for, this time. */
  most: number;
  endsAt: number;
}

interface Client extends PacedClient {
  counts: Partial<Record<Counted, Count>>;
}

/** All that is looked at of a request. */
export type PacedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>;

export interface ClientLimits {
  /** Takes this request's turns only where they are due now, and tells whether it did. */
  tryAdmit(request: PacedRequest): boolean;
  /** Calls `proceed` when it is this request's turn. Returns a function that withdraws the request. */
  admitLater(request: PacedRequest, proceed: () => void): () => void;
  quotaOf(request: PacedRequest): ClientQuota;
  /** Counts a request to /graphql. Seconds to wait, or null; what is known to be a submission counts and never waits. */
  allowGraphql(request: PacedRequest, knownSubmission: boolean): number | null;
  /** Counts a challenge, and tells whether it is to be a hard one, because that address asks for more than people need. */
  countChallenge(request: PacedRequest): { hard: boolean };
  /** How many clients are remembered. */
  readonly size: number;
}

export interface ClientLimitsOptions {
  /** Which proxies tell who is behind them. */
  trust?: TrustProxy | undefined;
  /** In milliseconds, and never set back or forth: the time of day would lock an address out for days. */
  clock?: () => number;
  /** From 0 to 1. */
  random?: () => number;
  /** More than that are not remembered; the one not seen for longest is forgotten. About 10 MB. */
  addresses?: number;
}

export function createClientLimits({
  trust,
  clock = () => performance.now(),
  random = Math.random,
  addresses = 20_000,
}: ClientLimitsOptions = {}): ClientLimits {
  const nameOf = createClientNames(trust);
  const ranks = createSenderRanks(clock, addresses);
  const pace = createClientPace(clock);
  /** In the order in which they were last seen. */
  const clients = new Map<string, Client>();

  // One for all times: a new one would first pass over the holes of those that are gone, thousands of them.
  let oldestFirst = clients.keys();
  function forgetOldest(): void {
    const oldest = oldestFirst.next();
    if (!oldest.done) clients.delete(oldest.value);
    else oldestFirst = clients.keys();
  }

  function find(request: PacedRequest): Client {
    const { name, isGone } = nameOf(request);
    const client = clients.get(name) ?? {
      room: isGone ? roomForGone : 1,
      counts: {},
      dueAt: Number.NEGATIVE_INFINITY,
    };
    clients.delete(name);
    clients.set(name, client);
    while (clients.size > addresses) forgetOldest();
    return client;
  }

  /**
   * Up to half as many more, another each time. With a bound that is known, whoever shares the address could fill it
   * up to the last one and then see that somebody else was here.
   */
  const drawBound = (what: Counted) =>
    isSeen.has(what) ? Math.round(perWindow[what] * (1 + random() / 2)) : perWindow[what];

  /** Seconds until the window ends, where there was no room left in it. */
  function count(client: Client, what: Counted): number | null {
    const now = clock();
    let window = client.counts[what];
    if (!window || window.endsAt <= now) {
      window = { counted: 0, most: drawBound(what) * client.room, endsAt: now + windowMs };
      client.counts[what] = window;
    }
    if (window.counted >= window.most) return Math.ceil((window.endsAt - now) / 1_000);
    window.counted++;
    return null;
  }

  function isFull(client: Client, what: Counted): boolean {
    const window = client.counts[what];
    return window !== undefined && window.endsAt > clock() && window.counted >= window.most;
  }

  return {
    tryAdmit: (request) => pace.takeNow(find(request), costOf(request)),

    admitLater: (request, proceed) => pace.wait(find(request), request.socket, costOf(request), proceed),

    quotaOf(request) {
      // Named now, while the connection still knows its address.
      nameOf(request);
      return {
        countJunk: () => count(find(request), 'junk'),
        hasSentMany: () => isFull(find(request), 'kept'),
        countStored: () => void count(find(request), 'kept'),
        countNoScript: () => (count(find(request), 'plain') === null ? 'alone' : 'held'),
        takeRank: () => ranks.take(nameOf(request).name),
      };
    },

    // A form is not counted: whoever shares the address could tell by their own refusal that somebody has sent one.
    allowGraphql: (request, knownSubmission) => (knownSubmission ? null : count(find(request), 'graphql')),

    countChallenge: (request) => ({ hard: count(find(request), 'challenges') !== null }),

    get size() {
      return clients.size;
    },
  };
}

import type { IncomingMessage } from 'node:http';
import type { Sender } from '../submissions/sender.ts';
import { createClientNames } from './client-address.ts';
import { createSenderRanks } from './sender-ranks.ts';
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
  /** Challenges. More are harder, and shared by those who ask at the same moment. */
  challenges: 240,
} as const;
type Counted = keyof typeof perWindow;
const windowMs = 10 * 60 * 1000;

/** Visitors who were gone before they could be asked for their address count together, so they get room for ten. */
const roomForGone = 10;

/** Ten hard challenges a second: next to nothing for the server, and more than a machine or two can solve and waste. */
const sharedMs = 100;

/**
 * Requests of any kind: a crowd at once, and then so many a second, each in its turn. A visit is about ten. What comes
 * faster waits, because neighbours at that address wait in the same line, and a page that comes late is still a page.
 * Nobody waits for longer than the 1,024 requests that one address's connections can hold take. More than the line can
 * hold come only through a proxy; those are refused, unless they send something.
 */
const pace = { burst: 600, perSecond: 200, waitMs: 5_200, line: 2_000 } as const;
const stepMs = 1_000 / pace.perSecond;
/** A form, or the challenge it needs: these come late rather than never, whoever fills the line. */
const isPartOfSending = ({ method, url = '' }: Asked) => method === 'POST' || url.startsWith('/bot-check/');
/** A page with so many bytes of what was typed is as much work again as any page that is there already. */
const turnBytes = 2_048;
/**
 * The longest form that is taken from a browser by itself: a letter of three bytes takes nine there, so three times what
 * one may have as JSON. No browser posts one without saying how long it is; who does may be sending as much.
 */
export const longestPost = 192 * 1_024;
/**
 * What is more work takes more turns: reading a body that of two, making a page for one visitor that of ten, and more
 * where all that was typed stands in that page again.
 */
function turnsOf({ method, url = '', headers }: Asked): number {
  if (method === 'GET' || method === 'HEAD') return 1;
  if (url.startsWith('/graphql')) return 2;
  const length = headers['transfer-encoding'] ? longestPost : Number(headers['content-length'] ?? 0);
  return 10 + Math.min(length, longestPost) / turnBytes;
}

interface Count {
  counted: number;
  endsAt: number;
}

interface Client {
  room: number;
  counts: Partial<Record<Counted, Count>>;
  /** When the next request would have its turn if none had been saved up. */
  turnAt: number;
  /** How many wait for theirs. */
  waiting: number;
  shared?: { until: number; challenge: Promise<object> };
}

/** All that is looked at of a request. */
export type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'socket'>;

/** A turn to wait for, at the end of which the request may be refused. */
export interface Turn {
  waitMs: number;
  refused: boolean;
  /** To be called once, when the wait is over, or the client is gone before that. */
  leave(isGone: boolean): void;
}

export interface ClientLimits {
  /** Takes a turn for this request. Null: it is its turn now. */
  takeTurn(request: Asked): Turn | null;
  /** Takes one only where it is its turn now, and tells whether it did. */
  takeTurnAtOnce(request: Asked): boolean;
  senderOf(request: Asked): Sender;
  /** Counts a request to /graphql. Seconds to wait, or null; what is known to be a submission counts and never waits. */
  allowGraphql(request: Asked, knownSubmission: boolean): number | null;
  /** A challenge of one's own; or, where an address asks for more than people need, a hard one that is shared. */
  challengeFor(request: Asked, make: (options: { hard: boolean }) => Promise<object>): Promise<object>;
  /** How many clients are remembered. */
  readonly size: number;
}

export interface ClientLimitsOptions {
  /** Which proxies tell who is behind them. */
  trust?: TrustProxy | undefined;
  /** In milliseconds, and never set back or forth: the time of day would lock an address out for days. */
  clock?: () => number;
  /** More than that are not remembered; the one not seen for longest is forgotten. About 10 MB. */
  addresses?: number;
}

export function createClientLimits({
  trust,
  clock = () => performance.now(),
  addresses = 20_000,
}: ClientLimitsOptions = {}): ClientLimits {
  const nameOf = createClientNames(trust);
  const ranks = createSenderRanks(clock, addresses);
  /** In the order in which they were last seen. */
  const clients = new Map<string, Client>();

  // One for all times: a new one would first pass over the holes of those that are gone, thousands of them.
  let oldestFirst = clients.keys();
  function forgetOldest(): void {
    const oldest = oldestFirst.next();
    if (!oldest.done) clients.delete(oldest.value);
    else oldestFirst = clients.keys();
  }

  function find(request: Asked): Client {
    const { name, isGone } = nameOf(request);
    const client = clients.get(name) ?? {
      room: isGone ? roomForGone : 1,
      counts: {},
      turnAt: Number.NEGATIVE_INFINITY,
      waiting: 0,
    };
    clients.delete(name);
    clients.set(name, client);
    while (clients.size > addresses) forgetOldest();
    return client;
  }

  /** Seconds until the window ends, where there was no room left in it. */
  function count(client: Client, what: Counted): number | null {
    const now = clock();
    let window = client.counts[what];
    if (!window || window.endsAt <= now) {
      window = { counted: 0, endsAt: now + windowMs };
      client.counts[what] = window;
    }
    if (window.counted >= perWindow[what] * client.room) return Math.ceil((window.endsAt - now) / 1_000);
    window.counted++;
    return null;
  }

  function isFull(client: Client, what: Counted): boolean {
    const window = client.counts[what];
    return window !== undefined && window.endsAt > clock() && window.counted >= perWindow[what] * client.room;
  }

  const nextTurn = (client: Client, now: number) =>
    Math.max(client.turnAt, now - pace.burst * stepMs * client.room);

  return {
    takeTurnAtOnce(request) {
      const client = find(request);
      const now = clock();
      const turnAt = nextTurn(client, now);
      if (turnAt > now) return false;
      client.turnAt = turnAt + (turnsOf(request) * stepMs) / client.room;
      return true;
    },

    takeTurn(request) {
      const client = find(request);
      const now = clock();
      const turnAt = nextTurn(client, now);
      const waitMs = Math.min(turnAt - now, pace.waitMs);
      const refused = client.waiting >= pace.line && !isPartOfSending(request);
      const step = (turnsOf(request) * stepMs) / client.room;
      const after = turnAt + step;
      // No further ahead than anyone waits: who comes when the rush is over must not wait for its shadow.
      if (!refused) client.turnAt = Math.min(after, now + pace.waitMs);
      if (waitMs <= 0) return null;
      client.waiting++;
      return {
        waitMs,
        refused,
        leave(isGone) {
          client.waiting--;
          // Whoever did not stay took nobody's time.
          if (isGone && !refused) client.turnAt -= step;
        },
      };
    },

    senderOf(request) {
      // Named now, while the connection still knows its address.
      nameOf(request);
      return {
        countJunk: () => count(find(request), 'junk'),
        hasSentMany: () => isFull(find(request), 'kept'),
        countKept: () => void count(find(request), 'kept'),
        countPlain: () => ({ kind: count(find(request), 'plain') === null ? 'open' : 'held' }),
        takeRank: () => ranks.take(nameOf(request).name),
      };
    },

    allowGraphql(request, knownSubmission) {
      const seconds = count(find(request), 'graphql');
      return knownSubmission ? null : seconds;
    },

    challengeFor(request, make) {
      const client = find(request);
      if (count(client, 'challenges') === null) return make({ hard: false });
      const now = clock();
      if (client.shared && now < client.shared.until) return client.shared.challenge;
      client.shared = { until: now + sharedMs, challenge: make({ hard: true }) };
      return client.shared.challenge;
    },

    get size() {
      return clients.size;
    },
  };
}

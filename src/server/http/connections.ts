import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

/**
 * How many connections there may be, and who goes when there are more: never the one who comes, as Node's own
 * `maxConnections` has it, because that is a visitor as likely as not.
 */
export interface ConnectionBounds {
  inAll: number;
  perAddress: number;
}

/**
 * Requests on one connection that are not answered yet. Browsers and proxies send the next one after the answer; Node
 * would take thousands that arrive in one packet, and keep them all in memory while nobody reads the answers.
 */
const inHandAtMost = 4;

interface Connection {
  readonly socket: Socket;
  readonly client: Client;
  /** By their answers. */
  readonly inHand: Set<ServerResponse>;
  /** Grows with each change; the smaller, the longer it has been as it is. */
  since: number;
}

interface Client {
  readonly network: string;
  /** Each in the order in which they became so. */
  readonly idle: Set<Connection>;
  readonly busy: Set<Connection>;
}

/** Whom it costs the least to lose comes first. Whoever waits for an answer that is being made is never cut off. */
const expendable = (
  isWaiting: (request: IncomingMessage) => boolean,
): ((client: Client) => Connection | undefined)[] => [
  // Nothing was asked, or not to its end. Of the kind there is more of: among a thousand forms that never end it must
  // not be the one who has only just come, and among a thousand who say nothing not the phone that still sends.
  ({ idle, busy }) => {
    const sending = [...busy].filter(({ inHand }) => some(inHand, ({ req }) => !req.complete));
    const [silent] = idle;
    return idle.size >= sending.length ? (silent ?? sending[0]) : sending[0];
  },
  // Asks for more than people do, and so it waits for its turn.
  ({ busy }) => find(busy, ({ inHand }) => some(inHand, ({ req }) => isWaiting(req))),
  // Answered, but it does not read.
  ({ busy }) => find(busy, ({ inHand }) => !some(inHand, ({ writableEnded }) => !writableEnded)),
];

export interface Connections {
  /** Takes a connection in, and closes another where there are too many. */
  take(socket: Socket): void;
  /** Whether the request is to be answered. If not, its connection is closed already. */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /** Nothing more is read from this connection, not even the rest of what it has sent. */
  stopHearing(socket: Socket): void;
  readonly size: number;
}

/** `isProxy` names addresses that stand for any number of visitors, who cannot be told apart by their connections. */
export function boundConnections(
  bounds: ConnectionBounds,
  isProxy: (address: string) => boolean,
  isWaiting: (request: IncomingMessage) => boolean,
): Connections {
  const picks = expendable(isWaiting);
  const clients = new Map<string, Client>();
  const connections = new Map<Socket, Connection>();
  let changes = 0;

  function release(connection: Connection): void {
    const { socket, client } = connection;
    connections.delete(socket);
    client.idle.delete(connection);
    client.busy.delete(connection);
    // Another may go by its name by now: a connection is released when it is closed, and again when it has closed.
    if (countOf(client) === 0 && clients.get(client.network) === client) clients.delete(client.network);
  }

  /** The oldest of those who have the most. */
  function makeRoom(among: Iterable<Client>): boolean {
    const all = [...among];
    for (const pick of picks) {
      let found: Connection | undefined;
      for (const client of all) {
        const own = pick(client);
        if (own && (!found || isWorse(own, found))) found = own;
      }
      if (!found) continue;
      release(found);
      found.socket.destroy();
      return true;
    }
    return false;
  }

  function move(connection: Connection, from: Set<Connection>, to: Set<Connection>): void {
    from.delete(connection);
    connection.since = changes++;
    to.add(connection);
  }

  /** One for all answers: a function made for each of them is work, and more to clear away. */
  function finish(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (!connection?.inHand.delete(this)) return;
    const { inHand, client } = connection;
    if (inHand.size === 0) move(connection, client.busy, client.idle);
  }

  return {
    take(socket) {
      // Asked now, because a connection that is reset later does not know it any more. One that was reset already
      // may still bring a whole form.
      const { remoteAddress } = socket;
      const network = remoteAddress === undefined ? 'gone' : networkOf(remoteAddress);
      const isOne = remoteAddress !== undefined && !isProxy(remoteAddress);
      const known = clients.get(network);
      const tooMany = isOne && known && countOf(known) >= bounds.perAddress;
      const hasRoom = tooMany
        ? makeRoom([known])
        : connections.size < bounds.inAll || makeRoom(clients.values());
      if (!hasRoom) return void socket.destroy();

      // Making room may have forgotten the client.
      const client = clients.get(network) ?? { network, idle: new Set(), busy: new Set() };
      clients.set(network, client);
      const connection: Connection = { socket, client, inHand: new Set(), since: 0 };
      connections.set(socket, connection);
      move(connection, client.busy, client.idle);
      socket.once('close', () => release(connection));
    },

    admit(request, response) {
      const connection = connections.get(request.socket);
      if (!connection) return false;
      const { inHand, client, socket } = connection;
      if (inHand.size === inHandAtMost) {
        release(connection);
        socket.destroy();
        stopHearing(socket);
        return false;
      }
      if (inHand.size === 0) move(connection, client.idle, client.busy);
      inHand.add(response);
      response.on('close', finish);
      return true;
    },

    stopHearing,

    get size() {
      return connections.size;
    },
  };
}

/**
 * Node goes on through a packet whose connection is closed, and makes a request and an answer of each of the two
 * thousand that fit into it. Told of an upgrade (2), its parser leaves the rest alone. That is no public way; should it
 * go, all that is lost is some memory and time.
 */
function stopHearing(socket: Socket & { parser?: { onIncoming?: unknown } | null }): void {
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => 2;
}

const countOf = ({ idle, busy }: Client) => idle.size + busy.size;

function isWorse(a: Connection, b: Connection): boolean {
  const more = countOf(a.client) - countOf(b.client);
  return more === 0 ? a.since < b.since : more > 0;
}

function find<T>(all: Iterable<T>, test: (one: T) => boolean): T | undefined {
  for (const one of all) if (test(one)) return one;
  return undefined;
}

const some = <T>(all: Iterable<T>, test: (one: T) => boolean) => find(all, test) !== undefined;

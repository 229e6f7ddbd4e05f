import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

/**
 * How many connections there may be. Beyond that an older connection is closed. Node's own `maxConnections` would refuse
 * the new one, which may well be a visitor's.
 */
interface ConnectionBounds {
  total: number;
  perAddress: number;
}

/** More than the visitors of one small site ever need at once; each connection takes about 30 kB of memory. */
const connectionsAtMost = 5_000;
/** A library full of browsers with six connections each. */
const perAddressAtMost = 256;
/** For the database, pictures, mail, the log and what Node itself has open. */
const reservedFiles = 200;
/** What most systems give a process, for a system that does not say. */
const usualFiles = 1_024;

/** As many connections as leave this process enough open files for its own work. */
export function connectionBounds(openFiles = openFileLimit()): ConnectionBounds {
  const free = Math.max(openFiles - reservedFiles, Math.floor(openFiles / 2));
  const total = Math.min(connectionsAtMost, free);
  return { total, perAddress: Math.min(perAddressAtMost, Math.floor(total / 4)) };
}

/** How many files, connections included, this process may have open. */
function openFileLimit(): number {
  // With the network, the report would ask DNS for the name of every address that this machine is connected to.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { soft: number | 'unlimited' } };
  };
  const soft = report.userLimits?.open_files?.soft ?? usualFiles;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : soft;
}

/**
 * Unanswered requests on one connection. Browsers and proxies send the next request after the response; Node would
 * accept thousands that arrive in one packet, and hold them all in memory while nobody reads the responses.
 */
const openRequestsAtMost = 4;

interface Connection {
  readonly socket: Socket;
  readonly client: Client;
  /** The responses to requests that are not finished. */
  readonly open: Set<ServerResponse>;
  /** When the connection last became idle or busy, as a number that grows with each change. */
  since: number;
}

interface Client {
  readonly network: string;
  /** The connection that has been idle, or busy, for longest comes first. */
  readonly idle: Set<Connection>;
  readonly busy: Set<Connection>;
}

/**
 * Functions that pick the connection of a client to close, one for each kind of connection. The kind whose loss costs
 * least comes first. A connection whose response is being made is never picked.
 */
const createPickers = (
  isPaced: (request: IncomingMessage) => boolean,
): ((client: Client) => Connection | undefined)[] => [
  // An idle connection or one that still sends its request, whichever are more: neither a thousand unfinished forms nor a
  // thousand idle connections may displace a visitor of the other kind.
  ({ idle, busy }) => {
    const sending = [...busy].filter(({ open }) => some(open, ({ req }) => !req.complete));
    const [longestIdle] = idle;
    return idle.size >= sending.length ? (longestIdle ?? sending[0]) : sending[0];
  },
  // One whose request waits, because its client asks for more than people do.
  ({ busy }) => find(busy, ({ open }) => some(open, ({ req }) => isPaced(req))),
  // One that does not read its responses, though they are complete.
  ({ busy }) => find(busy, ({ open }) => !some(open, ({ writableEnded }) => !writableEnded)),
];

/** @param isProxy whether any number of visitors share an address, to which `perAddress` then does not apply. */
export function boundConnections(
  bounds: ConnectionBounds,
  isProxy: (address: string) => boolean,
  isPaced: (request: IncomingMessage) => boolean,
) {
  const pickers = createPickers(isPaced);
  const clients = new Map<string, Client>();
  const connections = new Map<Socket, Connection>();
  let changes = 0;

  function release(connection: Connection): void {
    const { socket, client } = connection;
    connections.delete(socket);
    client.idle.delete(connection);
    client.busy.delete(connection);
    // A connection that this server closes is released twice, then and at its `close` event. By the second time its network
    // may have a new client.
    if (countOf(client) === 0 && clients.get(client.network) === client) clients.delete(client.network);
  }

  /**
   * Closes a connection of the client that has the most: the one that has been idle or busy for longest. Returns whether
   * one was closed.
   */
  function closeOne(among: Iterable<Client>): boolean {
    const all = [...among];
    for (const pick of pickers) {
      let found: Connection | undefined;
      for (const client of all) {
        const picked = pick(client);
        if (picked && (!found || isClosedBefore(picked, found))) found = picked;
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

  /** One function for all responses: a closure for each would be more work and more garbage. */
  function finish(this: ServerResponse): void {
    const connection = connections.get(this.req.socket);
    if (!connection?.open.delete(this)) return;
    const { open, client } = connection;
    if (open.size === 0) move(connection, client.busy, client.idle);
  }

  return {
    /** Adds a connection, and closes another where there are too many. */
    add(socket: Socket): void {
      // Read now, because a socket loses its address when it is reset. A socket that was reset already may still bring a
      // whole form.
      const { remoteAddress } = socket;
      const network = remoteAddress === undefined ? 'unknown' : networkOf(remoteAddress);
      const isOneClient = remoteAddress !== undefined && !isProxy(remoteAddress);
      const known = clients.get(network);
      const tooMany = isOneClient && known && countOf(known) >= bounds.perAddress;
      const hasRoom = tooMany
        ? closeOne([known])
        : connections.size < bounds.total || closeOne(clients.values());
      if (!hasRoom) return void socket.destroy();

      // closeOne may have deleted the client.
      const client = clients.get(network) ?? { network, idle: new Set(), busy: new Set() };
      clients.set(network, client);
      const connection: Connection = { socket, client, open: new Set(), since: 0 };
      connections.set(socket, connection);
      move(connection, client.busy, client.idle);
      socket.once('close', () => release(connection));
    },

    /** Whether to respond to the request. If not, its connection is closed already. */
    admit(request: IncomingMessage, response: ServerResponse): boolean {
      const connection = connections.get(request.socket);
      if (!connection) return false;
      const { open, client, socket } = connection;
      if (open.size === openRequestsAtMost) {
        release(connection);
        socket.destroy();
        stopReading(socket);
        return false;
      }
      if (open.size === 0) move(connection, client.idle, client.busy);
      open.add(response);
      response.on('close', finish);
      return true;
    },

    stopReading,

    get size(): number {
      return connections.size;
    },
  };
}

export type Connections = ReturnType<typeof boundConnections>;

/**
 * Drops whatever else this connection sends or has sent.
 *
 * Node parses a packet to its end even where the connection is closed, and makes a request and a response of each of the
 * two thousand requests that fit into it. The parser drops the rest of a packet after an upgrade, which is what the 2
 * means. This is no public interface of Node: without it some memory and time would be lost, and nothing else.
 */
function stopReading(socket: Socket & { parser?: { onIncoming?: unknown } | null }): void {
  if (socket.parser?.onIncoming) socket.parser.onIncoming = () => 2;
}

const countOf = ({ idle, busy }: Client) => idle.size + busy.size;

function isClosedBefore(a: Connection, b: Connection): boolean {
  const more = countOf(a.client) - countOf(b.client);
  return more === 0 ? a.since < b.since : more > 0;
}

function find<T>(all: Iterable<T>, test: (one: T) => boolean): T | undefined {
  for (const one of all) if (test(one)) return one;
  return undefined;
}

const some = <T>(all: Iterable<T>, test: (one: T) => boolean) => find(all, test) !== undefined;

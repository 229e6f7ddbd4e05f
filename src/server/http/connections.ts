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
  readonly network: string;
  /** The responses to requests that are not finished. */
  readonly open: Set<ServerResponse>;
}

/**
 * @param isProxy whether any number of visitors share an address, to which `perAddress` then does not apply.
 * @param isPaced whether a request waits because its client asks for more than people do.
 */
export function boundConnections(
  bounds: ConnectionBounds,
  isProxy: (address: string) => boolean,
  isPaced: (request: IncomingMessage) => boolean,
) {
  const connections = new Map<Socket, Connection>();
  /** Of networks, and of the connections in one, the least recently used comes first. */
  const byNetwork = new Map<string, Set<Connection>>();

  function release(connection: Connection): void {
    const { socket, network } = connection;
    connections.delete(socket);
    const others = byNetwork.get(network);
    others?.delete(connection);
    if (others?.size === 0) byNetwork.delete(network);
  }

  function markUsed(connection: Connection): void {
    const { socket, network } = connection;
    const all = byNetwork.get(network) ?? new Set();
    all.delete(connection);
    byNetwork.delete(network);
    byNetwork.set(network, all.add(connection));
    connections.set(socket, connection);
  }

  const isBeingAnswered = ({ req, writableEnded }: ServerResponse) => !writableEnded && !isPaced(req);

  /**
   * The connection of a network that costs least to lose. Idle ones or those that still send, whichever are more: neither
   * may displace a visitor of the other kind. Then those that wait for their turn or do not read. None whose response is
   * being made.
   */
  function pick(all: Set<Connection>): Connection | undefined {
    const idle: Connection[] = [];
    const sending: Connection[] = [];
    const waiting: Connection[] = [];
    for (const connection of all) {
      const open = [...connection.open];
      if (open.length === 0) idle.push(connection);
      else if (open.some(({ req }) => !req.complete)) sending.push(connection);
      else if (!open.some(isBeingAnswered)) waiting.push(connection);
    }
    return (idle.length >= sending.length ? idle : sending)[0] ?? waiting[0];
  }

  /** Closes a connection of the network that has the most. Returns whether one was closed. */
  function closeOne(networks: Iterable<Set<Connection>>): boolean {
    for (const all of [...networks].sort((a, b) => b.size - a.size)) {
      const found = pick(all);
      if (!found) continue;
      release(found);
      found.socket.destroy();
      return true;
    }
    return false;
  }

  return {
    /** Adds a connection, and closes another where there are too many. */
    add(socket: Socket): void {
      // Read now, because a socket loses its address when it is reset. A socket that was reset already may still bring a
      // whole form.
      const { remoteAddress } = socket;
      const network = remoteAddress === undefined ? 'unknown' : networkOf(remoteAddress);
      const isOneClient = remoteAddress !== undefined && !isProxy(remoteAddress);
      const same = isOneClient ? byNetwork.get(network) : undefined;
      const hasRoom =
        same && same.size >= bounds.perAddress
          ? closeOne([same])
          : connections.size < bounds.total || closeOne(byNetwork.values());
      if (!hasRoom) return void socket.destroy();

      const connection: Connection = { socket, network, open: new Set() };
      markUsed(connection);
      socket.once('close', () => release(connection));
    },

    /** Whether to respond to the request. If not, its connection is closed already. */
    admit(request: IncomingMessage, response: ServerResponse): boolean {
      const connection = connections.get(request.socket);
      if (!connection) return false;
      const { open, socket } = connection;
      if (open.size === openRequestsAtMost) {
        release(connection);
        socket.destroy();
        stopReading(socket);
        return false;
      }
      if (open.size === 0) markUsed(connection);
      open.add(response);
      response.on('close', () => {
        open.delete(response);
        if (open.size === 0 && connections.has(socket)) markUsed(connection);
      });
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

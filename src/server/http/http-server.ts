import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyServerFactory } from 'fastify';
import type { Log } from '../log/log.ts';
import type { Connections } from './connections.ts';

/** Milliseconds. Each ends what its comment names. */
export const timeouts = {
  /** A connection that is open between two requests. */
  keepAliveTimeout: 10_000,
  /** A request whose headers are not complete. */
  headersTimeout: 10_000,
  /** A request that is not complete. A phone on a weak signal may need 30 s for a few kilobytes; a slowloris gets no longer. */
  requestTimeout: 30_000,
  /** How often Node looks for overdue requests; 30 s by default. */
  connectionsCheckingInterval: 1_000,
};
/** Milliseconds after which a connection is closed on which no byte moves in either direction. */
const idleTimeoutMs = 60_000;

/** How much of a body is read before its request is admitted. Node's 64 kB would be 200 MB more with 4,000 waiting. */
const highWaterMark = 16 * 1_024;

interface BoundedServerParts {
  connections: Connections;
  /** The class of every response. */
  ServerResponse: typeof ServerResponse;
  /** Responds where it can, and returns whether it did. */
  respondReady: (request: IncomingMessage, response: ServerResponse) => boolean;
  log: Log;
}

/**
 * Creates the servers that Fastify listens with: two, where a name such as localhost has two addresses. `respondReady`
 * comes before Fastify, except while the server closes: Fastify then tells each connection to close.
 */
export function boundedServer({
  connections,
  ServerResponse,
  respondReady,
  log,
}: BoundedServerParts): FastifyServerFactory {
  /** Responds once, and reads nothing more of what the client has sent on this connection. */
  function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
    response.writeHead(status, { connection: 'close', 'cache-control': 'no-store' }).end();
    connections.stopReading(request.socket);
  }

  return ((handle: RequestListener): Server => {
    // Node would respond to each request without Host by itself, to two thousand in one packet.
    const options = { ...timeouts, highWaterMark, requireHostHeader: false, ServerResponse };
    const server = createServer(options, (request, response) => {
      if (!connections.admit(request, response)) return;
      if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(request, response, 400);
      else if (!server.listening || !respondReady(request, response)) handle(request, response);
    });
    server.setTimeout(idleTimeoutMs);
    server.on('connection', connections.add);
    // Any Expect but 100-continue. Node would respond to each of these by itself, too.
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      if (connections.admit(request, response)) refuse(request, response, 417);
    });
    // A connection that could not be accepted, for want of memory say, must not end the process.
    server.on('error', (err: NodeJS.ErrnoException) => {
      if (err.syscall === 'accept') log.warn({ event: 'connection not accepted', err });
    });
    return server;
  }) as FastifyServerFactory;
}

/** By the code of Node's error; any other is a 400. */
const unreadableStatuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Responds to what Node could not parse as HTTP or did not get in time: there is no request then, only a socket. */
export function respondUnreadable(headers: Record<string, string>, log: Log) {
  return (error: Error & { code: string }, socket: Socket): void => {
    // After a reset nobody reads a response.
    if (error.code !== 'ECONNRESET' && socket.writable) {
      const status = unreadableStatuses[error.code] ?? 400;
      log.debug({ event: 'request malformed', status, reason: error.code });
      socket.write(writeResponse(status, headers));
    }
    socket.destroy(error);
  };
}

function writeResponse(status: number, headers: Record<string, string>): string {
  const body = JSON.stringify({ error: STATUS_CODES[status] });
  const fields = {
    ...headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

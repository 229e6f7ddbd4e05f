import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { FastifyServerFactory } from 'fastify';
import type { Logger } from 'pino';
import type { Connections } from './connections.ts';
import { timeouts } from './timeouts.ts';

/** How much of a body is read before its turn. Node's own 64 kB are 200 MB more with 4,000 connections that wait for theirs. */
const highWaterMark = 16 * 1_024;

/**
 * Makes the servers Fastify listens with: two, where a name such as localhost stands for two addresses. What lies ready
 * is answered before it; but not once the server closes, when Fastify tells each connection to go.
 */
export function boundedServer(
  connections: Connections,
  log: Logger,
  answerReady: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): FastifyServerFactory {
  /** Answers once, and hears nothing more on this connection: what else came in its packet is not even read. */
  function refuse(request: IncomingMessage, response: ServerResponse, status: number): void {
    response.writeHead(status, { connection: 'close', 'cache-control': 'no-store' }).end();
    connections.stopHearing(request.socket);
  }

  return ((handle: RequestListener, { http }: { http: object }): Server => {
    // Node would answer what has no Host by itself, however many of them stand in one packet.
    const server = createServer({ ...http, highWaterMark, requireHostHeader: false }, (request, response) => {
      if (!connections.admit(request, response)) return;
      if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(request, response, 400);
      else if (!server.listening || !answerReady(request, response)) handle(request, response);
    });
    server.keepAliveTimeout = timeouts.keepAliveTimeout;
    server.requestTimeout = timeouts.requestTimeout;
    server.setTimeout(timeouts.connectionTimeout);
    server.on('connection', connections.take);
    // Anything but 100-continue. Node would answer each of these, too, and go on.
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      if (connections.admit(request, response)) refuse(request, response, 417);
    });
    // A connection that could not be taken in, for want of memory say, must not end the process.
    server.on('error', (err: NodeJS.ErrnoException) => {
      if (err.syscall === 'accept') log.warn({ event: 'connection not taken', err });
    });
    return server;
  }) as FastifyServerFactory;
}

import { createServer, type RequestListener, type Server } from 'node:http';
import type { FastifyServerFactory } from 'fastify';
import type { Logger } from 'pino';
import type { Connections } from './connections.ts';
import { timeouts } from './timeouts.ts';

/** Makes the servers Fastify listens with: two, where a name such as localhost stands for two addresses. */
export function boundedServer(connections: Connections, log: Logger): FastifyServerFactory {
  return ((handle: RequestListener, { http }: { http: object }): Server => {
    const server = createServer(http, (request, response) => {
      if (connections.admit(request, response)) handle(request, response);
    });
    server.keepAliveTimeout = timeouts.keepAliveTimeout;
    server.requestTimeout = timeouts.requestTimeout;
    server.setTimeout(timeouts.connectionTimeout);
    server.on('connection', connections.take);
    // A connection that could not be taken in, for want of memory say, must not end the process.
    server.on('error', (err: NodeJS.ErrnoException) => {
      if (err.syscall === 'accept') log.warn({ event: 'connection not taken', err });
    });
    return server;
  }) as FastifyServerFactory;
}

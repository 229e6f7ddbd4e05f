import type { Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';

/** A phone on a weak signal may need this long for a few kilobytes; a slowloris gets no longer. */
const requestMs = 30_000;

/** Each with what it ends. Node looks for overdue requests only every 30 s by default, so that is set too. */
export const timeouts = {
  /** A connection on which nothing moves, in either direction. */
  connectionTimeout: 60_000,
  /** A connection kept open between two requests. */
  keepAliveTimeout: 10_000,
  /** A request that is not wholly here. */
  requestTimeout: requestMs,
  http: {
    /** A request whose headers are not wholly here. */
    headersTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
  },
} as const satisfies FastifyHttpOptions<Server>;

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log/log.ts';
import type { ClientLimits } from './client-limits.ts';

/** A response from memory that is the same for everyone: a page, a file of it, a picture. */
export interface ReadyResponse {
  /** The pattern of its address, for the log and metrics. */
  route: string;
  /** Chooses by the encodings that the browser accepts, and by what it has cached. */
  replyTo(requestHeaders: IncomingHttpHeaders): PreparedReply;
}

interface PreparedReply {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** The response for exactly this address. Null: there is none, or it is not in memory. */
export type FindReady = (address: string) => ReadyResponse | null;

export const prepareReply = (headers: Record<string, string>, body?: Buffer): PreparedReply =>
  body
    ? { status: 200, headers: { ...headers, 'content-length': `${body.length}` }, body }
    : { status: 304, headers };

export function sendReady(request: FastifyRequest, reply: FastifyReply, ready: ReadyResponse): FastifyReply {
  const { status, headers, body } = ready.replyTo(request.headers);
  return reply.code(status).headers(headers).send(body);
}

interface ReadyParts {
  find: FindReady;
  limits: ClientLimits;
  /** Fastify handles requests with this header. */
  excludedHeader: string;
  onResponse: ((method: string, route: string, status: number) => void) | undefined;
  log: Log;
}

/**
 * Responds from memory before Fastify does, and returns whether it did: Fastify's routing, hooks and replies cost about as
 * much as the response itself (docs/decisions/0084). Fastify, which has the same responses, handles whatever is unusual:
 * another method, a query, a client that has to wait.
 */
export function createRespondReady({ find, limits, excludedHeader, onResponse, log }: ReadyParts) {
  const isLogged = log.isLevelEnabled('debug');
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || headers[excludedHeader] !== undefined) return false;
    let ready: ReadyResponse | null;
    let reply: PreparedReply;
    try {
      ready = find(url);
      if (ready === null || !limits.tryAdmit(request)) return false;
      reply = ready.replyTo(headers);
    } catch {
      // Fastify meets the same error, logs it and responds. Thrown here it would end the process.
      return false;
    }
    const { route } = ready;
    const { status, headers: own, body } = reply;
    response.writeHead(status, own).end(body);
    onResponse?.(method, route, status);
    if (isLogged) log.debug({ event: 'response sent', method, route, status, ms: 0 });
    return true;
  };
}

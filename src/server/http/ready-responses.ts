import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ClientLimits } from './client-limits.ts';

/** What is the same for everyone who asks, and lies in memory: a page, a file of it, a picture. */
export interface ReadyResponse {
  /** The pattern of its address, for the log and the figures. */
  route: string;
  /** The answer, by what the visitor takes and has already. */
  replyTo(asked: IncomingHttpHeaders): PreparedReply;
}

/** Put together once, and frozen: that of all there is to do for who comes next only the sending is left. */
export interface PreparedReply {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** What lies ready at exactly this address. Null: nothing does, or it would have to be looked for. */
export type FindReady = (address: string) => ReadyResponse | null;

export const prepareReply = (headers: Record<string, string>, body?: Buffer): PreparedReply =>
  body
    ? { status: 200, headers: Object.freeze({ ...headers, 'content-length': `${body.length}` }), body }
    : { status: 304, headers: Object.freeze(headers) };

export function sendReady(request: FastifyRequest, reply: FastifyReply, ready: ReadyResponse): FastifyReply {
  const { status, headers, body } = ready.replyTo(request.headers);
  return reply.code(status).headers(headers).send(body);
}

export interface ReadyParts {
  find: FindReady;
  limits: ClientLimits;
  /** A request with this header is left to the framework. */
  exceptWith: string;
  onResponse: ((method: string, route: string, status: number) => void) | undefined;
  log: Logger;
}

/**
 * Answers by itself what lies ready, where nothing but that is to be done, and tells whether it did: routing, hooks and
 * replies cost about as much as such an answer itself (docs/decisions/0084). Whatever is out of the ordinary is left to the
 * framework, where the same answers are: another method, a query, a mark of the canary's, a client that has to wait.
 */
export function respondReady({ find, limits, exceptWith, onResponse, log }: ReadyParts) {
  const writesAnswers = log.isLevelEnabled('debug');
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request;
    if (method !== 'GET' || headers[exceptWith] !== undefined) return false;
    let ready: ReadyResponse | null;
    let answer: PreparedReply;
    try {
      ready = find(url);
      if (ready === null || !limits.tryAdmit(request)) return false;
      answer = ready.replyTo(headers);
    } catch {
      // It fails there as well, and there it is answered and logged. Here it would end the process.
      return false;
    }
    const { route } = ready;
    const { status, headers: own, body } = answer;
    response.writeHead(status, own).end(body);
    onResponse?.(method, route, status);
    if (writesAnswers) log.debug({ event: 'answered', method, route, status, ms: 0 });
    return true;
  };
}

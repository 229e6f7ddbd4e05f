import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../model/operations.ts';
import type { OutwardError } from './outward-errors.ts';

/** How an answer goes over HTTP: https://graphql.github.io/graphql-over-http/draft/ */

const newType = /\bapplication\/graphql-response\+json\b/i;
const oldType = /\bapplication\/json\b/i;

/** Statuses that tell a proxy or a browser what the code tells the page. */
const statusOf: Partial<Record<ErrorCode, number>> = { RATE_LIMITED: 429, UNAVAILABLE: 503 };
const retryAfterSeconds = 5;

/** Whatever else a client asks for: an answer it may not know how to read is still better than none. */
function setType(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const type = newType.test(request.headers.accept ?? '') ? 'graphql-response+json' : 'json';
  return reply.header('content-type', `application/${type}; charset=utf-8`);
}

export function sendData(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  return setType(request, reply).send(body);
}

/** It was run, and `data` is there, if only as null. */
export function sendErrors(
  request: FastifyRequest,
  reply: FastifyReply,
  result: { data: unknown; errors: OutwardError[] },
  waitSeconds: number | undefined,
): FastifyReply {
  setRetry(reply, result.errors, waitSeconds);
  return setType(request, reply).send(JSON.stringify(result));
}

/**
 * It was not run. That is a 400, except for who takes `application/json` and nothing newer: there a 200 is the rule
 * for anything graphql-js says, and an answer that a person has to mend was never more than a 200.
 */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  error: OutwardError,
  { waitSeconds, isGraphql = true }: { waitSeconds?: number; isGraphql?: boolean } = {},
): FastifyReply {
  const { accept = '' } = request.headers;
  const isPlain = !newType.test(accept) && (error.extensions !== undefined || oldType.test(accept));
  reply.code(isPlain && isGraphql ? 200 : 400);
  setRetry(reply, [error], waitSeconds);
  return setType(request, reply).send(JSON.stringify({ errors: [error] }));
}

function setRetry(reply: FastifyReply, errors: OutwardError[], waitSeconds = retryAfterSeconds): void {
  const status = errors.map(({ extensions }) => extensions && statusOf[extensions.code]).find(Boolean);
  if (status) reply.code(status).header('retry-after', waitSeconds);
}

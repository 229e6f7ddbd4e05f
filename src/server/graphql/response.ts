import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, Kind } from 'graphql';
import type { ErrorCode } from '../../model/operations.ts';
import { PublicError } from './schema.ts';

/** How a result goes over HTTP: https://graphql.github.io/graphql-over-http/draft/ */

/** An error as it leaves the server. */
export interface ResponseError {
  message: string;
  extensions?: { code: ErrorCode };
}

export const withCode = (code: ErrorCode, message: string): ResponseError => ({
  message,
  extensions: { code },
});

/** Characters. graphql-js repeats names and values of the document, which may be long. */
const messageLength = 200;

const newType = /\bapplication\/graphql-response\+json\b/i;
const oldType = /\bapplication\/json\b/i;

/** For proxies and browsers, which do not know our codes. */
const statusByCode: Partial<Record<ErrorCode, number>> = { RATE_LIMITED: 429, UNAVAILABLE: 503 };
const defaultRetrySeconds = 5;

/** A client that accepts neither type gets JSON too: a response of the wrong type is better than none. */
function setType(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const type = newType.test(request.headers.accept ?? '') ? 'graphql-response+json' : 'json';
  return reply.header('content-type', `application/${type}; charset=utf-8`);
}

export function sendData(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  return setType(request, reply).send(body);
}

/**
 * For a document that was executed: `data` is there, if only as null. Public errors are sent as they are. Any other
 * error is masked, and logged once a request.
 */
export function sendErrors(
  request: FastifyRequest,
  reply: FastifyReply,
  data: unknown,
  errors: readonly GraphQLError[],
): FastifyReply {
  const originals = errors.map(originalOf);
  const unexpected = originals.find((error) => !(error instanceof PublicError));
  if (unexpected) request.log.error({ event: 'graphql failed', err: unexpected });
  const masked = originals.map((error) =>
    error instanceof PublicError ? withCode(error.code, error.message) : { message: 'Something went wrong' },
  );
  setRetryStatus(reply, masked, originals.find((error) => error instanceof PublicError)?.retryAfterSeconds);
  return setType(request, reply).send(JSON.stringify({ data, errors: masked }));
}

/**
 * For a document that was not executed. The status is 400, except for a client that does not accept the newer type: such
 * a client gets 200 for an error with one of our codes and, where it names `application/json`, for any error of graphql-js,
 * as the draft asks.
 */
export function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  error: ResponseError,
  { waitSeconds, isGraphql = true }: { waitSeconds?: number; isGraphql?: boolean } = {},
): FastifyReply {
  const { accept = '' } = request.headers;
  const wantsOldStatus = !newType.test(accept) && (error.extensions !== undefined || oldType.test(accept));
  reply.code(wantsOldStatus && isGraphql ? 200 : 400);
  setRetryStatus(reply, [error], waitSeconds);
  return setType(request, reply).send(JSON.stringify({ errors: [error] }));
}

/** Where the code of an error has a status, sets that status and Retry-After. */
function setRetryStatus(
  reply: FastifyReply,
  errors: ResponseError[],
  waitSeconds = defaultRetrySeconds,
): void {
  const status = errors.map(({ extensions }) => extensions && statusByCode[extensions.code]).find(Boolean);
  if (status) reply.code(status).header('retry-after', waitSeconds);
}

/** What is wrong with the document. */
export function describeMistake(error: unknown): ResponseError {
  if (!(error instanceof GraphQLError)) throw error;
  return describeBadAnswer(error) ?? { message: error.message.slice(0, messageLength) };
}

/** What is wrong with the variables. graphql-js would repeat their values, which are somebody's answers. */
export function describeBadVariable(error: GraphQLError): ResponseError {
  const badAnswer = describeBadAnswer(error);
  if (badAnswer) return badAnswer;
  const [definition] = error.nodes ?? [];
  const name = definition?.kind === Kind.VARIABLE_DEFINITION ? definition.variable.name.value : '';
  if (name === 'fields') return withCode('BAD_ANSWERS', 'The answers are not a list of keys and values');
  if (name === 'recaptchaToken') return withCode('BOT_CHECK_FAILED', 'The bot-check token is missing');
  return { message: 'A variable is not of the type that the document says' };
}

/** A value that no form can hold, in the document or in a variable. */
function describeBadAnswer(error: GraphQLError): ResponseError | null {
  const original = originalOf(error);
  const isBadAnswer = original instanceof GraphQLError && original.extensions.code === 'BAD_ANSWERS';
  return isBadAnswer ? withCode('BAD_ANSWERS', original.message) : null;
}

const originalOf = (error: GraphQLError): Error => error.originalError ?? error;

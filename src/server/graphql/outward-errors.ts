import type { FastifyBaseLogger } from 'fastify';
import { GraphQLError, Kind } from 'graphql';
import type { ErrorCode } from '../../model/operations.ts';
import { PublicError } from './resolvers.ts';

/** An error as it leaves the server. */
export interface OutwardError {
  message: string;
  extensions?: { code: ErrorCode };
}

/** Characters. graphql-js repeats names and values of the document, which may be long. */
const messageLength = 200;

export const outward = (code: ErrorCode, message: string): OutwardError => ({
  message,
  extensions: { code },
});

/** What is wrong with the document. */
export function describeMistake(error: unknown): OutwardError {
  if (!(error instanceof GraphQLError)) throw error;
  return describeBadAnswer(error) ?? { message: error.message.slice(0, messageLength) };
}

/** What is wrong with the variables, without repeating any, as graphql-js would. */
export function describeBadVariable(error: GraphQLError): OutwardError {
  const badAnswer = describeBadAnswer(error);
  if (badAnswer) return badAnswer;
  const [definition] = error.nodes ?? [];
  const name = definition?.kind === Kind.VARIABLE_DEFINITION ? definition.variable.name.value : '';
  if (name === 'fields') return outward('BAD_ANSWERS', 'The answers are not a list of keys and values');
  if (name === 'recaptchaToken') return outward('BOT_CHECK_FAILED', 'The bot-check token is missing');
  return { message: 'A variable is not of the type that the document says' };
}

/** A value no form can hold, in the document or in a variable. */
function describeBadAnswer(error: GraphQLError): OutwardError | null {
  const original = originalOf(error);
  const isBadAnswer = original instanceof GraphQLError && original.extensions.code === 'BAD_ANSWERS';
  return isBadAnswer ? outward('BAD_ANSWERS', original.message) : null;
}

/** Our own errors as they are; of anything else only that it happened, outside and, once a request, in the log. */
export function maskErrors(errors: readonly GraphQLError[], log: FastifyBaseLogger): OutwardError[] {
  const unforeseen = errors.map(originalOf).find((error) => !(error instanceof PublicError));
  if (unforeseen) log.error({ event: 'graphql failed', err: unforeseen });
  return errors.map(originalOf).map((error) => {
    if (error instanceof PublicError) return outward(error.code, error.message);
    return { message: 'Something went wrong' };
  });
}

export const originalOf = (error: GraphQLError): Error => error.originalError ?? error;

import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql';
import mercurius from 'mercurius';
import { z } from 'zod';
import type { ErrorCode } from '../../model/operations.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { Sender } from '../submissions/sender.ts';
import type { SubmitForm } from '../submissions/submit.ts';
import { checkDocument, limits } from './limits.ts';
import { createResolvers, type GraphqlContext, OpenError } from './resolvers.ts';

const schema = readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8');

/** One operation as JSON: no batch, no persisted query. */
const bodySchema = z.object({
  query: z.string().max(limits.documentLength),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().max(100).nullish(),
});

/** Statuses that tell a proxy or a browser what the code tells the page. A refused answer is a plain 200. */
const statusOf: Partial<Record<ErrorCode, number>> = { RATE_LIMITED: 429, UNAVAILABLE: 503 };
const retryAfterSeconds = 5;

export interface GraphqlParts {
  content: ContentSource;
  submitForm: SubmitForm;
  introspection: boolean;
  allowSubmission: (request: FastifyRequest) => Promise<boolean>;
  senderOf: (request: FastifyRequest) => Sender;
}

interface OutwardError {
  message: string;
  extensions?: { code: ErrorCode };
}

export async function registerGraphql(app: FastifyInstance, parts: GraphqlParts): Promise<void> {
  await app.register(mercurius, {
    schema,
    resolvers: createResolvers(parts.content, parts.submitForm) as never,
    routes: false,
    jit: 1,
    validationRules: parts.introspection ? [] : [NoSchemaIntrospectionCustomRule],
    // The route below formats and masks; here the errors pass as they are.
    errorFormatter: ({ data, errors }) => ({
      statusCode: 200,
      response: { data: data ?? null, errors: errors as never },
    }),
  });
  app.graphql.addHook('preValidation', async (_schema, document) => checkDocument(document));

  app.post('/graphql', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const body = bodySchema.safeParse(request.body);
    if (!body.success) {
      return reply.code(400).send({ errors: [{ message: 'Expected one GraphQL operation as JSON' }] });
    }
    const context: GraphqlContext = {
      sender: parts.senderOf(request),
      async allowSubmission() {
        if (await parts.allowSubmission(request)) return;
        throw new OpenError('RATE_LIMITED', 'Too many at once. Please try again in a few minutes.');
      },
    };
    const { query, variables, operationName } = body.data;
    const { data, errors } = await app
      .graphql(query, context as never, variables ?? undefined, operationName ?? undefined)
      .catch((error: Error & { errors?: Error[] }) => ({ data: null, errors: error.errors ?? [error] }));
    if (!errors?.length) return { data };

    const outward = errors.map((error) => mask(error, request));
    const status =
      outward.map(({ extensions }) => extensions && statusOf[extensions.code]).find(Boolean) ?? 200;
    if (status !== 200) reply.header('retry-after', retryAfterSeconds);
    return reply.code(status).send({ data: data ?? null, errors: outward });
  });
}

/**
 * What leaves the server: our own errors as they are, a mistake in the document by its message, a value no form can
 * hold as BAD_ANSWERS (without repeating the value, as graphql-js would), and of anything else only that it happened.
 */
function mask(error: Error, request: FastifyRequest): OutwardError {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const code = (original as { extensions?: { code?: unknown } }).extensions?.code;
  if (original instanceof OpenError)
    return { message: original.message, extensions: { code: code as ErrorCode } };
  if (code === 'BAD_ANSWERS') return { message: original.message, extensions: { code } };
  if (/^Variable "\$fields"/.test(error.message)) {
    return { message: 'The answers are not a list of keys and values', extensions: { code: 'BAD_ANSWERS' } };
  }
  if (/^Variable "\$recaptchaToken"/.test(error.message)) {
    return { message: 'The bot-check token is missing', extensions: { code: 'BOT_CHECK_FAILED' } };
  }
  if (isDocumentMistake(error)) return { message: error.message };
  request.log.error({ event: 'graphql failed', err: original });
  return { message: 'Something went wrong' };
}

/** Raised by parsing, counting or validating the document: it has no path into the data and no cause underneath. */
function isDocumentMistake(error: Error): boolean {
  return (
    error instanceof GraphQLError &&
    !error.path &&
    !error.originalError &&
    !error.message.startsWith('Variable ')
  );
}

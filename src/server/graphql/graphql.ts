import type { FastifyReply, FastifyRequest } from 'fastify';
import { execute, GraphQLError } from 'graphql';
import type { ContentSource } from '../content/content-source.ts';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import type { ClientQuota } from '../submissions/quota.ts';
import type { SubmitForm } from '../submissions/submit.ts';
import { createDocuments, type ReadDocument } from './documents.ts';
import { hasTooManyValues } from './limits.ts';
import {
  describeBadVariable,
  describeMistake,
  maskErrors,
  type OutwardError,
  originalOf,
  outward,
} from './outward-errors.ts';
import { executeOwnSubmission } from './own-submission.ts';
import { createKeptAnswers } from './query-result-cache.ts';
import { isOperationRequest, type OperationRequest } from './request.ts';
import { createResolvers, type GraphqlContext, PublicError } from './resolvers.ts';
import { sendData, sendErrors, sendRefusal } from './response.ts';
import { schema } from './schema.ts';

export interface GraphqlParts {
  content: ContentSource;
  submitForm: SubmitForm;
  metrics?: Pick<MetricsSink, 'onRefused'> | undefined;
  /**
   * The seconds this client has to wait before anything but a known submission is answered, or null. Asked once a
   * request. A known submission is never refused here: the bot check judges it, whatever others at its address send.
   */
  allowGraphql: (request: FastifyRequest, knownSubmission: boolean) => number | null;
  quotaOf: (request: FastifyRequest) => ClientQuota;
  /** Whether the schema is told to whoever asks: in development. Otherwise it is read in the repository. */
  introspection?: boolean | undefined;
}

const tooMany = outward('RATE_LIMITED', 'Too many at once. Please try again in a few minutes.');
const tooMuch = outward('BAD_ANSWERS', 'There is more in the variables than any form asks for');

/** graphql-js reads, checks and executes. What is read and what is answered is kept; no code is made of either. */
export function createGraphql(parts: GraphqlParts) {
  const documents = createDocuments({ introspection: parts.introspection });
  const answers = createKeptAnswers();
  const rootValue = createResolvers(parts.content, parts.submitForm, parts.metrics);

  const executeDocument = (
    { document }: ReadDocument,
    variableValues: Record<string, unknown> = {},
    contextValue?: GraphqlContext,
  ) =>
    execute({ schema, document, rootValue, variableValues, contextValue, options: { maxCoercionErrors: 1 } });

  /** @throws {GraphQLError} what is wrong with the document or its name. */
  function readDocument({ query, operationName }: OperationRequest): ReadDocument {
    const document = documents.find(query) ?? documents.read(query);
    if (operationName != null && operationName !== document.operationName)
      throw new GraphQLError('There is no operation of that name in the document');
    return document;
  }

  /** What came with a form and is none did not pass the bot check either, and is counted like the rest of that. */
  function refuseVariables(request: FastifyRequest, reply: FastifyReply, error: OutwardError): FastifyReply {
    const waitSeconds = parts.quotaOf(request).countJunk();
    if (waitSeconds !== null) return sendRefusal(request, reply, tooMany, { waitSeconds });
    return sendRefusal(request, reply, error);
  }

  return {
    async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      reply.header('cache-control', 'no-store');
      const { body } = request;
      const isOperation = isOperationRequest(body);
      const isKnownSubmission = isOperation && documents.find(body.query)?.isMutation === true;
      const waitSeconds = parts.allowGraphql(request, isKnownSubmission);
      if (waitSeconds !== null) return sendRefusal(request, reply, tooMany, { waitSeconds });
      if (!isOperation) {
        const error = { message: 'Expected one GraphQL operation as JSON' };
        return sendRefusal(request, reply, error, { isGraphql: false });
      }

      let document: ReadDocument;
      try {
        document = readDocument(body);
      } catch (error) {
        return sendRefusal(request, reply, describeMistake(error));
      }

      const content = parts.content.current();
      const kept = answers.find(document, content);
      if (kept) return sendData(request, reply, kept);

      const variables = (document.hasVariables && body.variables) || {};
      const context = () => ({ quota: parts.quotaOf(request) });
      const own = executeOwnSubmission(rootValue, document, variables, context);
      if (!own && hasTooManyValues(variables)) return refuseVariables(request, reply, tooMuch);
      const result = await (own ?? executeDocument(document, variables, context()));
      if (result.data === undefined && result.errors?.[0])
        return refuseVariables(request, reply, describeBadVariable(result.errors[0]));
      if (result.errors) {
        const wait = result.errors
          .map(originalOf)
          .find((error) => error instanceof PublicError)?.retryAfterSeconds;
        const errors = maskErrors(result.errors, request.log);
        return sendErrors(request, reply, { data: result.data, errors }, wait);
      }
      const answer = JSON.stringify({ data: result.data });
      const isConstant = !document.isMutation && !document.hasVariables;
      return sendData(request, reply, isConstant ? answers.keep(document, content, answer) : answer);
    },
  };
}

export type Graphql = ReturnType<typeof createGraphql>;

import type { FastifyReply, FastifyRequest } from 'fastify';
import { execute, GraphQLError } from 'graphql';
import { findTranslation } from '../content/languages/shown-languages.ts';
import type { ClientQuota } from '../submissions/quota.ts';
import { type CachedDocument, createDocuments } from './documents.ts';
import { hasTooManyValues, isOperationRequest, type OperationRequest } from './limits.ts';
import {
  describeBadVariable,
  describeMistake,
  type ResponseError,
  sendData,
  sendErrors,
  sendRefusal,
  withCode,
} from './response.ts';
import { createResolvers, type GraphqlContext, type ResolverParts, schema } from './schema.ts';

export interface GraphqlParts extends ResolverParts {
  /**
   * The seconds that this client has to wait before it may send this request again, or null. Called once a request. A
   * known submission never has to wait: the bot check judges it, whatever others at its address send.
   */
  allowGraphql: (request: FastifyRequest, knownSubmission: boolean) => number | null;
  quotaOf: (request: FastifyRequest) => ClientQuota;
  /** Whether the schema can be asked for: in development alone. Others read it in the repository. */
  introspection?: boolean | undefined;
}

const tooManyRequests = withCode('RATE_LIMITED', 'Too many at once. Please try again in a few minutes.');
const tooManyValues = withCode('BAD_ANSWERS', 'There is more in the variables than any form asks for');

/** graphql-js parses, validates and executes. Documents and constant results are cached; no code is generated. */
export function createGraphql(parts: GraphqlParts) {
  const documents = createDocuments(parts.introspection);
  const rootValue = createResolvers(parts);

  /** @throws {GraphQLError} what is wrong with the document or its name. */
  function readDocument({ query, operationName }: OperationRequest): CachedDocument {
    const document = documents.find(query) ?? documents.read(query);
    if (operationName != null && operationName !== document.operationName)
      throw new GraphQLError('There is no operation of that name in the document');
    return document;
  }

  /** What the result depends on besides the content: the language, of which there are few. Null where on more. */
  function findResultKey(document: CachedDocument, variables: Record<string, unknown>): string | null {
    if (document.isMutation) return null;
    if (document.variableNames.length === 0) return '';
    const { language = null, ...others } = variables;
    const isLanguage = language === null || typeof language === 'string';
    if (!document.asksForForm || !isLanguage || Object.keys(others).length > 0) return null;
    const { content, previewLanguages } = parts;
    return findTranslation(content.current(), previewLanguages, language)?.language.tag ?? '';
  }

  /** Counts variables that are no form as junk: they never reach the bot check, where other junk is counted. */
  function refuseVariables(request: FastifyRequest, reply: FastifyReply, error: ResponseError): FastifyReply {
    const waitSeconds = parts.quotaOf(request).countJunk();
    if (waitSeconds !== null) return sendRefusal(request, reply, tooManyRequests, { waitSeconds });
    return sendRefusal(request, reply, error);
  }

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store');
    const { body } = request;
    const isOperation = isOperationRequest(body);
    const isKnownSubmission = isOperation && documents.find(body.query)?.isMutation === true;
    const waitSeconds = parts.allowGraphql(request, isKnownSubmission);
    if (waitSeconds !== null) return sendRefusal(request, reply, tooManyRequests, { waitSeconds });
    if (!isOperation) {
      const error = { message: 'Expected one GraphQL operation as JSON' };
      return sendRefusal(request, reply, error, { isGraphql: false });
    }

    let document: CachedDocument;
    try {
      document = readDocument(body);
    } catch (error) {
      return sendRefusal(request, reply, describeMistake(error));
    }

    const content = parts.content.current();
    const variables = (document.variableNames.length > 0 && body.variables) || {};
    const resultKey = findResultKey(document, variables);
    if (document.results?.content !== content) document.results = { content, bodies: new Map() };
    const { bodies } = document.results;
    const cached = resultKey === null ? undefined : bodies.get(resultKey);
    if (cached !== undefined) return sendData(request, reply, cached);

    if (hasTooManyValues(variables)) return refuseVariables(request, reply, tooManyValues);
    const contextValue: GraphqlContext = { quota: parts.quotaOf(request) };
    const { data, errors } = await execute({
      schema,
      document: document.document,
      rootValue,
      variableValues: variables,
      contextValue,
      options: { maxCoercionErrors: 1 },
    });
    if (data === undefined && errors?.[0])
      return refuseVariables(request, reply, describeBadVariable(errors[0]));
    if (errors) return sendErrors(request, reply, data, errors);
    const result = JSON.stringify({ data });
    if (resultKey !== null) bodies.set(resultKey, result);
    return sendData(request, reply, result);
  };
}

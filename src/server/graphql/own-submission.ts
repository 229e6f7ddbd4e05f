import { type ExecutionResult, GraphQLError } from 'graphql';
import { operationNames } from '../../model/operations.ts';
import type { ReadDocument } from './documents.ts';
import { limits } from './limits.ts';
import type { GraphqlContext, Resolvers, SubmitArguments } from './resolvers.ts';
import { isAnswerValue } from './schema.ts';

/**
 * Sends a form as our own pages do: one of their two documents, letter by letter, with variables that are right. What
 * such a document asks for is known, so graphql-js need not find it out anew; that cost more than checking and keeping the
 * answers. Null for anything else, however little it differs: then graphql-js executes it, and says what is wrong.
 */
export function executeOwnSubmission(
  resolvers: Resolvers,
  { submits }: ReadDocument,
  variables: Record<string, unknown>,
  context: () => GraphqlContext,
): Promise<ExecutionResult> | null {
  const given = submits && readSubmission(variables);
  if (!given) return null;
  const name = operationNames[submits].submit;
  return resolvers[name](given, context()).then(
    ({ reference, receivedAt }) => ({ data: { [name]: { reference, receivedAt } } }),
    (error) => ({ data: null, errors: [asGraphqlError(error)] }),
  );
}

const asGraphqlError = (error: Error) =>
  error instanceof GraphQLError ? error : new GraphQLError(error.message, { originalError: error });

/** What the schema's types allow, and nothing besides. Null also where there is more of it than any form asks for. */
function readSubmission(variables: Record<string, unknown>): SubmitArguments | null {
  const { fields, recaptchaToken } = variables;
  if (typeof recaptchaToken !== 'string' || !Array.isArray(fields) || !hasOnly(variables, 2)) return null;
  const answers: SubmitArguments['fields'] = [];
  // Counted as `hasTooManyValues` does: two variables, and for each entry itself, its key and its value.
  let values = 2;
  for (const entry of fields as unknown[]) {
    if (typeof entry !== 'object' || entry === null || !hasOnly(entry, 2)) return null;
    const { key, value } = entry as Record<string, unknown>;
    if (typeof key !== 'string' || !isAnswerValue(value)) return null;
    values += 3 + (Array.isArray(value) ? value.length : 0);
    answers.push({ key, value });
  }
  return values <= limits.values ? { fields: answers, recaptchaToken } : null;
}

const hasOnly = (map: object, count: number) => Object.keys(map).length === count;

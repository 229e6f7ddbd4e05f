import type { ExecutionResult } from 'graphql';
import { operationNames } from '../../model/operations.ts';
import type { CachedDocument } from './documents.ts';
import { type GraphqlContext, isAnswerValue, type Resolvers, type SubmitArguments } from './schema.ts';

/**
 * Runs the resolver of one of the site's own mutations, where the variables are exactly what the schema asks for.
 * graphql-js would need 55 µs to find that out, a fifth of a submission (docs/decisions/0121). Null for anything else:
 * graphql-js then executes the document, and says what is wrong.
 */
export function executeOwnSubmission(
  resolvers: Resolvers,
  { submits, variableNames }: CachedDocument,
  variables: Record<string, unknown>,
  context: GraphqlContext,
): Promise<ExecutionResult> | null {
  if (!submits || !isSubmission(variables)) return null;
  if (!Object.keys(variables).every((name) => variableNames.includes(name))) return null;
  const name = operationNames[submits].submit;
  return resolvers[name](variables, context).then(
    ({ reference, receivedAt }) => ({ data: { [name]: { reference, receivedAt } } }),
    (error) => ({ data: null, errors: [error] }),
  );
}

function isSubmission(
  variables: Record<string, unknown>,
): variables is Record<string, unknown> & SubmitArguments {
  const { fields, recaptchaToken, language = null } = variables;
  return (
    typeof recaptchaToken === 'string' &&
    Array.isArray(fields) &&
    fields.every(isEntry) &&
    (language === null || typeof language === 'string')
  );
}

const isEntry = (entry: unknown) =>
  typeof entry === 'object' &&
  entry !== null &&
  Object.keys(entry).length === 2 &&
  'key' in entry &&
  typeof entry.key === 'string' &&
  'value' in entry &&
  isAnswerValue(entry.value);

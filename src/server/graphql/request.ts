import { limits } from './limits.ts';

/** One operation as JSON: no batch, no persisted query. */
export interface OperationRequest {
  query: string;
  variables?: Record<string, unknown> | null;
  operationName?: string | null;
}

export function isOperationRequest(body: unknown): body is OperationRequest {
  if (!isMap(body)) return false;
  const { query, variables, operationName, extensions } = body;
  return (
    typeof query === 'string' &&
    query.length <= limits.documentLength &&
    !isJson(query) &&
    (variables == null || isMap(variables)) &&
    (extensions == null || isMap(extensions)) &&
    (operationName == null ||
      (typeof operationName === 'string' && operationName.length <= limits.operationNameLength))
  );
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A syntax tree in place of a document. Nothing here would take it for one, but it is no mistake in GraphQL either. */
const isJson = (text: string) => /^\s*\{\s*"/.test(text);

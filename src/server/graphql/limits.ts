import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, visit } from 'graphql';

/**
 * What a request may ask for. The site's own documents have 7 fields, 2 levels and no alias, and the longest form has
 * some 50 values. The bounds are enough for any other client, and too low to keep the server busy (graphql-js#3955).
 */
export const limits = {
  /** Characters. */
  documentLength: 4_096,
  tokens: 1_000,
  fields: 40,
  aliases: 4,
  fragments: 4,
  depth: 4,
  /** All values in the variables, at any depth. */
  values: 2_000,
  operationNameLength: 100,
} as const;

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

/** A document's syntax tree as JSON: a malformed request, and no mistake in GraphQL. */
const isJson = (text: string) => /^\s*\{\s*"/.test(text);

/**
 * Counts before validation, which is itself quadratic in repeated fields. Every field counts, `__typename` and those
 * in fragments too.
 */
export function checkDocument(document: DocumentNode): void {
  const count = { fields: 0, aliases: 0, fragments: 0, depth: 0 };
  let operations = 0;
  let mutations = 0;
  let depth = 0;
  visit(document, {
    enter(node) {
      if (node.kind === Kind.SELECTION_SET) count.depth = Math.max(count.depth, ++depth);
      if (node.kind === Kind.FRAGMENT_SPREAD) count.fragments++;
      if (node.kind === Kind.FIELD) {
        count.fields++;
        if (node.alias) count.aliases++;
      }
      if (node.kind === Kind.OPERATION_DEFINITION) {
        operations++;
        if (node.operation === 'mutation') mutations += countRootFields(node);
      }
    },
    leave(node) {
      if (node.kind === Kind.SELECTION_SET) depth--;
    },
  });
  for (const what of ['fields', 'aliases', 'fragments', 'depth'] as const) {
    if (count[what] > limits[what]) throw new GraphQLError(`Too many ${what}: at most ${limits[what]}`);
  }
  // So that a document means the same with any operation name.
  if (operations !== 1) throw new GraphQLError('One operation a document');
  // The quotas count requests, so a request may ask for one submission.
  if (mutations > 1) throw new GraphQLError('One mutation a request');
}

/** A spread could hide any number of fields. */
function countRootFields({ selectionSet: { selections } }: OperationDefinitionNode): number {
  return selections.every(({ kind }) => kind === Kind.FIELD) ? selections.length : Number.POSITIVE_INFINITY;
}

/**
 * Whether there are more values than any form asks for. Counted before graphql-js sees the values, because graphql-js
 * makes an error of each wrong one; and without recursion, because 64 kB of brackets are 32,000 levels.
 */
export function hasTooManyValues(variables: object): boolean {
  const unvisited: object[] = [variables];
  let count = 0;
  for (let value = unvisited.pop(); value; value = unvisited.pop()) {
    const inside: unknown[] = Object.values(value);
    count += inside.length;
    if (count > limits.values) return true;
    for (const item of inside) if (typeof item === 'object' && item !== null) unvisited.push(item);
  }
  return false;
}

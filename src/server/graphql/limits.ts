import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, visit } from 'graphql';

/**
 * What a request may ask for. The site's own documents have 7 fields, 2 levels and no alias, and the longest form has
 * some 50 values; these bounds leave room for a curious client and none for one that wants to keep the server busy
 * (graphql-js#3955).
 */
export const limits = {
  /** Characters. */
  documentLength: 4_096,
  tokens: 1_000,
  fields: 40,
  aliases: 4,
  fragments: 4,
  depth: 4,
  /** Of the variables, at whatever depth. */
  values: 2_000,
  operationNameLength: 100,
} as const;

/**
 * Counts before validation, which is itself quadratic in repeated fields. Every field counts wherever it stands,
 * `__typename` and those in fragments too.
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
  // Documents are kept by their text alone, so a text must mean one operation.
  if (operations !== 1) throw new GraphQLError('One operation a document');
  // The limits count requests, so a request may ask for one submission.
  if (mutations > 1) throw new GraphQLError('One mutation a request');
}

/** A spread could hide any number of fields. */
function countRootFields({ selectionSet: { selections } }: OperationDefinitionNode): number {
  return selections.every(({ kind }) => kind === Kind.FIELD) ? selections.length : Number.POSITIVE_INFINITY;
}

/**
 * Whether there are more values than any form asks for. Counted before graphql-js looks at them, which makes an error
 * of each that is wrong; and without recursion, because 64 kB of brackets are 32,000 levels.
 */
export function hasTooManyValues(variables: object): boolean {
  const waiting: object[] = [variables];
  let count = 0;
  for (let value = waiting.pop(); value; value = waiting.pop()) {
    const inside: unknown[] = Object.values(value);
    count += inside.length;
    if (count > limits.values) return true;
    for (const item of inside) if (typeof item === 'object' && item !== null) waiting.push(item);
  }
  return false;
}

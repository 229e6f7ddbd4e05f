import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, visit } from 'graphql';

/**
 * What a document may ask for. The site's own documents have 7 fields, 2 levels and no alias; these bounds leave
 * room for a curious client and none for one that wants to keep the server busy (graphql-js#3955).
 */
export const limits = { documentLength: 4_096, fields: 40, aliases: 4, fragments: 4, depth: 4 } as const;

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
  // Compiled documents are kept by their text alone, so a text must mean one operation.
  if (operations !== 1) throw new GraphQLError('One operation a document');
  // The rate limit counts requests, so a request may ask for one submission.
  if (mutations > 1) throw new GraphQLError('One mutation a request');
}

/** A spread could hide any number of fields. */
function countRootFields({ selectionSet: { selections } }: OperationDefinitionNode): number {
  return selections.every(({ kind }) => kind === Kind.FIELD) ? selections.length : Number.POSITIVE_INFINITY;
}

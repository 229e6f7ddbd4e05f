import {
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  visit,
} from 'graphql';
import { formNames } from '../../model/form-field.ts';
import { formQueries, submitMutations, withoutLanguage } from '../../model/operations.ts';
import { checkDocument, limits } from './limits.ts';
import { schema } from './schema.ts';

export interface ReadDocument {
  document: DocumentNode;
  operationName: string | undefined;
  isMutation: boolean;
  variableNames: readonly string[];
}

/** The documents of the site's own pages are parsed once. Any other may have somebody's answer in it, and is not stored. */
export function createDocuments(introspection = false) {
  const texts = formNames.flatMap((name) => [formQueries[name], submitMutations[name]]);
  const own = new Map(
    texts
      .flatMap((text) => [text, withoutLanguage(text)])
      .map((text) => [text, readDocument(text, introspection)]),
  );
  return {
    /** Whether a page of this site sends a form with it: such a document does nothing else. */
    isOwnSubmission: (text: string): boolean => own.get(text)?.isMutation === true,
    /**
     * Parses, counts and validates a document.
     * @throws {GraphQLError} the first mistake in it.
     */
    read: (text: string): ReadDocument => own.get(text) ?? readDocument(text, introspection),
  };
}

function readDocument(text: string, introspection: boolean): ReadDocument {
  if (text.length > limits.documentLength) throw new GraphQLError('The document is too long');
  const document = parse(text, { maxTokens: limits.tokens, noLocation: true });
  checkDocument(document);
  const [mistake] = validate(schema, document, undefined, { maxErrors: 1, hideSuggestions: true });
  if (mistake) throw mistake;
  const operation = operationOf(document);
  return {
    document: introspection ? document : hideSchema(document),
    operationName: operation.name?.value,
    isMutation: operation.operation === 'mutation',
    variableNames: (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
  };
}

/**
 * Refuses `__schema`, and makes `__type` find nothing for any name: the GraphQL foundation's audit sends `__type` with
 * variables and expects no error. `__typename` is not changed.
 * @throws {GraphQLError}
 */
function hideSchema(document: DocumentNode): DocumentNode {
  return visit(document, {
    [Kind.FIELD](node) {
      if (node.name.value === '__schema') throw new GraphQLError('This server does not tell its schema');
      if (node.name.value !== '__type') return undefined;
      const nothing = { kind: Kind.STRING, value: '' } as const;
      return { ...node, arguments: node.arguments?.map((given) => ({ ...given, value: nothing })) };
    },
  });
}

/** `checkDocument` has refused any document without exactly one operation. */
const operationOf = (document: DocumentNode) =>
  document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;

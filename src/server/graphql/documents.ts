import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  visit,
} from 'graphql';
import { formNames } from '../../model/form-field.ts';
import { formQueries, submitMutations } from '../../model/operations.ts';
import { checkDocument, limits } from './limits.ts';
import { schema } from './schema.ts';

export interface ReadDocument {
  document: DocumentNode;
  operationName: string | undefined;
  isMutation: boolean;
  hasVariables: boolean;
  /** Somebody's words may stand in its text. */
  hasValue: boolean;
}

export interface Documents {
  /** One that was read before. A mutation among these sends a form, and does nothing else. */
  find(text: string): ReadDocument | undefined;
  /**
   * Parses, counts and validates, and keeps what is good and has no value in its text.
   * @throws {GraphQLError} the first thing that is wrong with it.
   */
  read(text: string): ReadDocument;
}

/** Besides the site's own. The largest takes about 0.1 MB, with its answer: under 10 MB in all. */
const keptCount = 64;

/**
 * Documents by their text, so that each is read once. Only good ones are kept: a bad one is as bad the next time. And only
 * those without a value: somebody's answers may stand in the text, as an argument, a variable's default or a comment.
 */
export function createDocuments({
  introspection = false,
}: {
  introspection?: boolean | undefined;
} = {}): Documents {
  const pinned = new Map<string, ReadDocument>();
  const kept = new Map<string, ReadDocument>();

  for (const name of formNames) {
    for (const text of [formQueries[name], submitMutations[name]])
      pinned.set(text, readDocument(text, introspection));
  }

  function find(text: string): ReadDocument | undefined {
    const own = pinned.get(text);
    if (own) return own;
    const found = kept.get(text);
    if (!found) return undefined;
    // The last used stand last; the first goes when there are too many.
    kept.delete(text);
    kept.set(text, found);
    return found;
  }

  function keep(text: string, read: ReadDocument): void {
    kept.set(text, read);
    if (kept.size > keptCount) kept.delete(kept.keys().next().value ?? '');
  }

  return {
    find,
    read(text) {
      const read = readDocument(text, introspection);
      const isPlain = !read.isMutation || isPlainSubmission(read.document);
      if (isPlain && !read.hasValue) keep(text, read);
      return read;
    },
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
    hasVariables: (operation.variableDefinitions ?? []).length > 0,
    hasValue: hasValue(text, document),
  };
}

/**
 * Refuses `__schema`, and has `__type` find nothing, whatever name it is given. No error for the latter, because the GraphQL
 * foundation's audit sends variables to `__type` and wants none. `__typename` stays.
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

const valueKinds: readonly string[] = [
  Kind.STRING,
  Kind.INT,
  Kind.FLOAT,
  Kind.BOOLEAN,
  Kind.ENUM,
  Kind.NULL,
  Kind.LIST,
  Kind.OBJECT,
];

function hasValue(text: string, document: DocumentNode): boolean {
  // Without a string in the document a # can only begin a comment.
  let found = text.includes('#');
  visit(document, {
    enter(node) {
      found ||= valueKinds.includes(node.kind);
    },
  });
  return found;
}

/** The one that `checkDocument` saw to. */
const operationOf = (document: DocumentNode) =>
  document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;

/** One submission that nothing skips. Such a one always meets the bot check. */
function isPlainSubmission(document: DocumentNode): boolean {
  const fields = operationOf(document).selectionSet.selections as readonly FieldNode[];
  return fields.every(({ name, directives }) => name.value.startsWith('submit') && directives?.length === 0);
}

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
import { formQueries, submitMutations, withoutLanguage } from '../../model/operations.ts';
import type { Content } from '../content/content.ts';
import { checkDocument, limits } from './limits.ts';
import { schema } from './schema.ts';

export interface CachedDocument {
  document: DocumentNode;
  operationName: string | undefined;
  isMutation: boolean;
  variableNames: readonly string[];
  /** Whether the text may contain somebody's answer. */
  hasValue: boolean;
  /** Whether the document is one of the site's own queries: its one variable is the language. */
  asksForForm?: boolean;
  /** The responses of a query, by language, where they depend on nothing but this content and the language. */
  results?: { content: Content; bodies: Map<string, string> };
}

/** Cached documents besides the site's own. The largest takes about 0.1 MB with its result, so all take under 10 MB. */
const cacheSize = 64;

/**
 * Documents by their text, so that each is parsed once. A document with a value in its text is not cached: an
 * argument, a variable's default or a comment may be somebody's answer.
 */
export function createDocuments(introspection = false) {
  const ownDocuments = new Map<string, CachedDocument>();
  for (const name of formNames) {
    for (const query of [formQueries[name], withoutLanguage(formQueries[name])])
      ownDocuments.set(query, { ...readDocument(query, introspection), asksForForm: true });
    for (const mutation of [submitMutations[name], withoutLanguage(submitMutations[name])])
      ownDocuments.set(mutation, readDocument(mutation, introspection));
  }
  /** The least recently used document comes first. */
  const cached = new Map<string, CachedDocument>();

  /** A document that was read before. A mutation among these sends a form, and does nothing else. */
  function find(text: string): CachedDocument | undefined {
    const found = ownDocuments.get(text) ?? cached.get(text);
    if (found && cached.delete(text)) cached.set(text, found);
    return found;
  }

  return {
    find,
    /**
     * Parses, counts and validates a document, and caches one that is valid and has no value in its text.
     * @throws {GraphQLError} the first mistake in it.
     */
    read(text: string): CachedDocument {
      const read = readDocument(text, introspection);
      const isCacheable = !read.isMutation || isOnlySubmission(read.document);
      if (isCacheable && !read.hasValue) cached.set(text, read);
      if (cached.size > cacheSize) cached.delete(cached.keys().next().value ?? '');
      return read;
    },
  };
}

function readDocument(text: string, introspection: boolean): CachedDocument {
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
    hasValue: hasValue(text, document),
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
  // A # outside a string begins a comment. A string is a value anyway.
  let found = text.includes('#');
  visit(document, {
    enter(node) {
      found ||= valueKinds.includes(node.kind);
    },
  });
  return found;
}

/** `checkDocument` has refused any document without exactly one operation. */
const operationOf = (document: DocumentNode) =>
  document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;

/** No directive may skip the submission, so that it always meets the bot check. */
function isOnlySubmission(document: DocumentNode): boolean {
  const fields = operationOf(document).selectionSet.selections as readonly FieldNode[];
  return fields.every(({ name, directives }) => name.value.startsWith('submit') && directives?.length === 0);
}

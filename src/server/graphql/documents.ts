import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { type FormName, formNames } from '../../model/form-field.ts';
import { formQueries, submitMutations } from '../../model/operations.ts';
import { checkDocument, limits } from './limits.ts';
import { schema } from './schema.ts';

export interface ReadDocument {
  document: DocumentNode;
  operationName: string | undefined;
  isMutation: boolean;
  hasVariables: boolean;
  /** The form that it sends, where it is one of the site's own two. */
  submits?: FormName;
}

export interface Documents {
  /** One that was read before. A mutation among these sends a form, and does nothing else. */
  find(text: string): ReadDocument | undefined;
  /**
   * Parses, counts and validates, and keeps what is good.
   * @throws {GraphQLError} the first thing that is wrong with it.
   */
  read(text: string): ReadDocument;
}

/** Besides the site's own. The largest takes about 0.1 MB, with its answer: under 10 MB in all. */
const keptCount = 64;

/** Documents by their text, so that each is read once. Only good ones are kept: a bad one is as bad the next time. */
export function createDocuments(): Documents {
  const pinned = new Map<string, ReadDocument>();
  const kept = new Map<string, ReadDocument>();

  for (const name of formNames) {
    pinned.set(formQueries[name], readDocument(formQueries[name]));
    pinned.set(submitMutations[name], { ...readDocument(submitMutations[name]), submits: name });
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
      const read = readDocument(text);
      // Of the mutations only those with every answer in a variable: an answer in the text itself must not stay here.
      if (!read.isMutation || isPlainSubmission(read.document)) keep(text, read);
      return read;
    },
  };
}

function readDocument(text: string): ReadDocument {
  if (text.length > limits.documentLength) throw new GraphQLError('The document is too long');
  const document = parse(text, { maxTokens: limits.tokens, noLocation: true });
  checkDocument(document);
  const [mistake] = validate(schema, document, undefined, { maxErrors: 1 });
  if (mistake) throw mistake;
  const operation = operationOf(document);
  return {
    document,
    operationName: operation.name?.value,
    isMutation: operation.operation === 'mutation',
    hasVariables: (operation.variableDefinitions ?? []).length > 0,
  };
}

/** The one that `checkDocument` saw to. */
const operationOf = (document: DocumentNode) =>
  document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;

/** One submission that nothing skips, with all it says in variables. Such a one always meets the bot check. */
function isPlainSubmission(document: DocumentNode): boolean {
  const fields = operationOf(document).selectionSet.selections as readonly FieldNode[];
  return fields.every(
    ({ name, directives, arguments: given = [] }) =>
      name.value.startsWith('submit') &&
      directives?.length === 0 &&
      given.every(({ value }) => value.kind === Kind.VARIABLE),
  );
}

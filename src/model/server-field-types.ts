import { type AnswerOf, type AnswerValue, behaviourOf, type FieldOf } from './field-types.ts';
import type { FieldType, FormField } from './form-field.ts';

/** The other half of field-types.ts: one entry for each question type, what only the server and staff's tools do with it. */

interface Counted<Field, Answer> {
  choices(field: Field): string[];
  /** In the order of `choices`. */
  chosen(value: Answer, field: Field): string[];
}

interface ServerBehaviour<Field = FormField, Answer = AnswerValue> {
  /** In the comment at the top of the form files (content/forms). */
  explained: string;
  /** What is wrong with a value from outside that this field can never hold; null where nothing is. */
  findWrongShape(value: unknown, field: Field): string | null;
  /** Asked with its description instead of its name, and first in the mail to staff. */
  isMessage: boolean;
  /** For staff. Null where nothing was answered. */
  describe(value: Answer): string | null;
  /** A valid answer that nobody gave, for the canary and the sample data. */
  invent(words: string, field: Field): Answer;
  /** Counted for the reports; null where people write freely, because counts must not identify anybody. */
  counted: Counted<Field, Answer> | null;
}

const text: ServerBehaviour<FormField, string> = {
  explained: 'one line',
  findWrongShape: (value) => (typeof value === 'string' ? null : 'must be text'),
  isMessage: false,
  describe: (value) => (value.trim() === '' ? null : value),
  invent: (words) => words,
  counted: null,
};

export const serverFieldTypes: { readonly [T in FieldType]: ServerBehaviour<FieldOf<T>, AnswerOf<T>> } = {
  text,
  textarea: { ...text, explained: 'several lines', isMessage: true },
  boolean: {
    explained: 'one tick box',
    findWrongShape: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
    isMessage: false,
    describe: (value) => (value ? 'Yes' : null),
    invent: () => false,
    counted: { choices: () => ['true', 'false'], chosen: (value) => [String(value)] },
  },
  checkbox: {
    explained: 'any of the choices',
    findWrongShape(value, { choices }) {
      if (!Array.isArray(value)) return 'must be a list of choices';
      if (!value.every((choice) => choices.includes(choice))) return 'has a choice that is not offered';
      return new Set(value).size === value.length ? null : 'has a choice twice';
    },
    isMessage: false,
    describe: (value) => (value.length === 0 ? null : value.join('\n')),
    // The last choice is the likeliest to say 'something else', or 'do not contact me'.
    invent: (_words, { choices }) => choices.slice(-1),
    counted: {
      choices: ({ choices }) => choices,
      chosen: (value, { choices }) => choices.filter((choice) => value.includes(choice)),
    },
  },
};

export const fieldTypeNames = Object.keys(serverFieldTypes) as FieldType[];

export const serverBehaviourOf = ({ type }: FormField): ServerBehaviour => serverFieldTypes[type];

/** The type of an answer whose question is unknown. */
export function guessType(value: AnswerValue): FieldType {
  if (Array.isArray(value)) return 'checkbox';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

/**
 * An answer for staff; null where nothing was answered. A sealed file may come from a newer version or from anybody, so a
 * type that is unknown, or that does not hold such a value, is guessed from the value.
 */
export function describeAnswer(field: FormField, value: AnswerValue | undefined): string | null {
  if (value === undefined) return null;
  const guessed = guessType(value);
  const fits = fieldTypeNames.includes(field.type) && guessType(behaviourOf(field).initial) === guessed;
  const behaviour: ServerBehaviour = serverFieldTypes[fits ? field.type : guessed];
  return behaviour.describe(value);
}

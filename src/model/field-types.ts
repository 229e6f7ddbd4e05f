import type { FieldType, FormField } from './form-field.ts';

/**
 * One entry for each question type: what browser and server both do with an answer. What only the server does is in
 * server-field-types.ts, so that visitors do not download it.
 */

/** The TypeScript type of the answer to each type of question. */
interface AnswerTypes {
  text: string;
  textarea: string;
  boolean: boolean;
  checkbox: string[];
}
export type AnswerOf<T extends FieldType> = AnswerTypes[T];
export type AnswerValue = AnswerOf<FieldType>;
export type FieldOf<T extends FieldType> = Extract<FormField, { type: T }>;

/** A form's values by name: FormData in the browser, URLSearchParams in a posted form. */
export interface FormValues {
  has(name: string): boolean;
  get(name: string): unknown;
  getAll(name: string): unknown[];
}

interface FieldBehaviour<Field = FormField, Answer = AnswerValue> {
  initial: Answer;
  /** In characters, as JavaScript counts them. A whole form stays well under the 64 kB body limit. */
  maxLength: number;
  /** Leaves out choices that the field does not offer. */
  read(values: FormValues, field: Field): Answer;
  /** As much of an answer to an earlier version of the question as this version can hold. */
  carryOver(value: AnswerValue | undefined, field: Field): Answer;
}

const text: FieldBehaviour<FormField, string> = {
  initial: '',
  maxLength: 500,
  // Form data has CRLF line ends; the field has the line ends that were typed.
  read: (values, { key }) => String(values.get(key) ?? '').replace(/\r\n/g, '\n'),
  carryOver: (value) => (typeof value === 'string' ? value : ''),
};

export const fieldTypes: { readonly [T in FieldType]: FieldBehaviour<FieldOf<T>, AnswerOf<T>> } = {
  text,
  textarea: { ...text, maxLength: 10_000 },
  boolean: {
    initial: false,
    maxLength: Number.POSITIVE_INFINITY,
    read: (values, { key }) => values.has(key),
    carryOver: (value) => value === true,
  },
  checkbox: {
    initial: [],
    maxLength: Number.POSITIVE_INFINITY,
    read: (values, { key, choices }) => choices.filter((choice) => values.getAll(key).includes(choice)),
    carryOver: (value, { choices }) =>
      Array.isArray(value) ? value.filter((choice) => choices.includes(choice)) : [],
  },
};

export const behaviourOf = ({ type }: FormField): FieldBehaviour => fieldTypes[type];

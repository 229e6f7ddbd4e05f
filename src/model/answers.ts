import { type AnswerValue, behaviourOf, type FormValues } from './field-types.ts';
import type { Definition, FormField } from './form-field.ts';

/** One value per field key. */
export type Answers = Record<string, AnswerValue>;

/** One answer as sent and as stored, in the definition's order. */
export interface Entry {
  key: string;
  value: AnswerValue;
}

function answerEach(definition: Definition, answer: (field: FormField) => AnswerValue): Answers {
  return Object.fromEntries(definition.map((field) => [field.key, answer(field)]));
}

export function initialAnswers(definition: Definition): Answers {
  return answerEach(definition, (field) => behaviourOf(field).initial);
}

/** The answers in a form's fields, without any that the definition does not ask or offer. */
export function readAnswers(values: FormValues, definition: Definition): Answers {
  return answerEach(definition, (field) => behaviourOf(field).read(values, field));
}

/** As much of these answers as another version of the form can hold. */
export function carryOver(definition: Definition, answers: Answers): Answers {
  return answerEach(definition, (field) => behaviourOf(field).carryOver(answers[field.key], field));
}

export function toEntries(definition: Definition, answers: Answers): Entry[] {
  return definition.map((field) => ({
    key: field.key,
    value: answers[field.key] ?? behaviourOf(field).initial,
  }));
}

/** The reverse of {@link toEntries}: a key that is not among the entries has its initial value. */
export function fromEntries(definition: Definition, entries: readonly Entry[]): Answers {
  const given = new Map(entries.map((entry) => [entry.key, entry.value]));
  return answerEach(definition, (field) => given.get(field.key) ?? behaviourOf(field).initial);
}

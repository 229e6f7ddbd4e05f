import type { Definition, FormField } from './form-field.ts';

export type AnswerValue = string | boolean | string[];

/** One value per field key. */
export type Answers = Record<string, AnswerValue>;

/** How an answer travels and is kept: `{ key, value }`, in the definition's order. */
export interface Entry {
  key: string;
  value: AnswerValue;
}

export function initialValue(field: FormField): AnswerValue {
  switch (field.type) {
    case 'boolean':
      return false;
    case 'checkbox':
      return [];
    case 'text':
    case 'textarea':
      return '';
  }
}

export function initialAnswers(definition: Definition): Answers {
  return Object.fromEntries(definition.map((field) => [field.key, initialValue(field)]));
}

export function toEntries(definition: Definition, answers: Answers): Entry[] {
  return definition.map((field) => ({ key: field.key, value: answers[field.key] ?? initialValue(field) }));
}

/** What of these answers another version of the form still has a place for. */
export function carryOver(definition: Definition, answers: Answers): Answers {
  return Object.fromEntries(definition.map((field) => [field.key, kept(field, answers[field.key])]));
}

function kept(field: FormField, value: AnswerValue | undefined): AnswerValue {
  if (field.type === 'checkbox')
    return Array.isArray(value) ? value.filter((choice) => field.choices.includes(choice)) : [];
  const initial = initialValue(field);
  return value !== undefined && typeof value === typeof initial ? value : initial;
}

/** The reverse of {@link toEntries}: a key that is not among the entries has its initial value. */
export function fromEntries(definition: Definition, entries: readonly Entry[]): Answers {
  const given = new Map(entries.map((entry) => [entry.key, entry.value]));
  return Object.fromEntries(
    definition.map((field) => [field.key, given.get(field.key) ?? initialValue(field)]),
  );
}

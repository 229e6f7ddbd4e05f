import type { Answers, AnswerValue } from './answers.ts';
import type { Definition, FormField } from './form-field.ts';

/** What a form holds by name: FormData in the browser, URLSearchParams where it was posted. */
export interface FormValues {
  has(name: string): boolean;
  get(name: string): unknown;
  getAll(name: string): unknown[];
}

/** The answers as a form's fields have them. What the definition does not ask or offer is left out. */
export function readAnswers(values: FormValues, definition: Definition): Answers {
  return Object.fromEntries(definition.map((field) => [field.key, readValue(values, field)]));
}

function readValue(values: FormValues, field: FormField): AnswerValue {
  switch (field.type) {
    case 'boolean':
      return values.has(field.key);
    case 'checkbox':
      return field.choices.filter((choice) => values.getAll(field.key).includes(choice));
    case 'text':
    case 'textarea':
      // A form's data has the line ends of a form post; the field has those that were typed.
      return String(values.get(field.key) ?? '').replace(/\r\n/g, '\n');
  }
}

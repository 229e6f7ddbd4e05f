import type { Answers, AnswerValue } from '../../model/answers.ts';
import type { Definition, FormField } from '../../model/form-field.ts';

/** The answers as the fields of a form on the page have them. */
export function readAnswers(form: HTMLFormElement, definition: Definition): Answers {
  const data = new FormData(form);
  return Object.fromEntries(definition.map((field) => [field.key, readValue(data, field)]));
}

function readValue(data: FormData, field: FormField): AnswerValue {
  switch (field.type) {
    case 'boolean':
      return data.has(field.key);
    case 'checkbox':
      return field.choices.filter((choice) => data.getAll(field.key).includes(choice));
    case 'text':
    case 'textarea':
      // FormData has the line ends of a form post; the field has those that were typed.
      return String(data.get(field.key) ?? '').replaceAll('\r\n', '\n');
  }
}

import type { Answers } from './answers.ts';
import { type AnswerValue, behaviourOf } from './field-types.ts';
import type { Definition, FormField } from './form-field.ts';
import { fill, type Phrase } from './phrase.ts';

/** The rules that browser and server share. Shapes that no page of ours sends are checked in check-entries.ts. */

export interface Problem {
  /** The field at fault, where there is one. */
  key?: string;
  message: string;
}

/** What visitors read about an answer, with {question} and the {most} characters allowed. */
export interface ProblemText {
  required: Phrase;
  tooLong: Phrase;
}

/** An unticked box is an answer, and not blank. */
export const isBlank = (value: AnswerValue): boolean =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;

export function validateField(
  field: FormField,
  value: AnswerValue | undefined,
  text: ProblemText,
): Problem | null {
  const { key, displayName: question, required } = field;
  const { initial, maxLength } = behaviourOf(field);
  const answer = value ?? initial;
  if (required && isBlank(answer)) return { key, message: fill(text.required, { question }) };
  // Long text is refused instead of cut: nobody should lose the end of what they pasted unnoticed.
  if (String(answer).length <= maxLength) return null;
  return { key, message: fill(text.tooLong, { question, most: String(maxLength) }) };
}

/** The first invalid field's problem, or null when the form is valid. */
export function validateAnswers(definition: Definition, answers: Answers, text: ProblemText): Problem | null {
  for (const field of definition) {
    const problem = validateField(field, answers[field.key], text);
    if (problem) return problem;
  }
  return null;
}

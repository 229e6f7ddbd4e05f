import { type Answers, type AnswerValue, type Entry, fromEntries } from './answers.ts';
import type { Definition, FormField } from './form-field.ts';
import { fill, type Phrase } from './phrase.ts';

/** Characters, as JavaScript counts them. A whole form stays well under the 64 kB body limit. */
export const maxLength = { text: 500, textarea: 10_000 } as const;

export interface Problem {
  /** The field at fault, where there is one. */
  key?: string;
  message: string;
}

/** What is said of an answer; with {question}, and how many characters are the {most}. */
export interface ProblemText {
  required: Phrase;
  tooLong: Phrase;
}

const isBlank = (value: AnswerValue | undefined): boolean => {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined;
};

export function validateField(
  { key, type, displayName: question, required }: FormField,
  value: AnswerValue | undefined,
  text: ProblemText,
): Problem | null {
  if (type === 'boolean') return null;
  if (required && isBlank(value)) return { key, message: fill(text.required, { question }) };
  if (type === 'checkbox') return null;
  // Said and not cut off: nobody should lose the end of what they pasted without a word.
  const most = maxLength[type];
  if (String(value ?? '').length <= most) return null;
  return { key, message: fill(text.tooLong, { question, most: String(most) }) };
}

/** The first invalid field's problem, or null when the form is valid. */
export function validateAnswers(definition: Definition, answers: Answers, text: ProblemText): Problem | null {
  for (const field of definition) {
    const problem = validateField(field, answers[field.key], text);
    if (problem) return problem;
  }
  return null;
}

/** Whether a value from outside is one this field can hold at all, filled in or not. */
function shapeProblem(field: FormField, value: unknown): Problem | null {
  const wrong = (message: string): Problem => ({
    key: field.key,
    message: `${field.displayName} ${message}`,
  });
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? null : wrong('must be true or false');
    case 'checkbox':
      if (!Array.isArray(value)) return wrong('must be a list of choices');
      if (!value.every((choice) => field.choices.includes(choice)))
        return wrong('has a choice that is not offered');
      return new Set(value).size === value.length ? null : wrong('has a choice twice');
    case 'text':
    case 'textarea':
      return typeof value === 'string' ? null : wrong('must be text');
  }
}

export type CheckedEntries = { ok: true; answers: Answers } | { ok: false; problem: Problem };

/**
 * Checks entries that came from outside against the definition: nothing unknown, nothing twice, every value of
 * its field's type, then the same rules as the browser's. Values are unknown until this has looked at them.
 */
export function checkEntries(
  definition: Definition,
  entries: readonly { key: string; value: unknown }[],
  text: ProblemText,
): CheckedEntries {
  const refuse = (problem: Problem): CheckedEntries => ({ ok: false, problem });
  const fields = new Map(definition.map((field) => [field.key, field]));
  const seen = new Set<string>();
  for (const { key, value } of entries) {
    const field = fields.get(key);
    if (!field) return refuse({ message: 'There is an answer to a question this form does not ask' });
    if (seen.has(key)) return refuse({ key, message: `${field.displayName} is answered twice` });
    seen.add(key);
    const problem = shapeProblem(field, value);
    if (problem) return refuse(problem);
  }
  const answers = fromEntries(definition, entries as readonly Entry[]);
  const problem = validateAnswers(definition, answers, text);
  return problem ? refuse(problem) : { ok: true, answers };
}

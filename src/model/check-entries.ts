import { type Answers, type Entry, fromEntries } from './answers.ts';
import type { Definition } from './form-field.ts';
import { serverBehaviourOf } from './server-field-types.ts';
import { type Problem, type ProblemText, validateAnswers } from './validate.ts';

type CheckedEntries = { ok: true; answers: Answers } | { ok: false; problem: Problem };

/**
 * Checks entries from outside against the definition: no unknown key, no key twice, every value of its field's type,
 * then the browser's own rules.
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
    const wrong = serverBehaviourOf(field).findWrongShape(value, field);
    if (wrong) return refuse({ key, message: `${field.displayName} ${wrong}` });
  }
  const answers = fromEntries(definition, entries as readonly Entry[]);
  const problem = validateAnswers(definition, answers, text);
  return problem ? refuse(problem) : { ok: true, answers };
}

import type { Answers } from '../../../model/answers.ts';
import { findMissing, type Meanings, understand, wayOfKey } from '../../../model/choice-meanings.ts';
import type { AnswerValue } from '../../../model/field-types.ts';
import { type Definition, labelIn } from '../../../model/form-field.ts';
import { fill } from '../../../model/phrase.ts';
import { suggestEmail } from '../../../model/reachable.ts';
import type { PageSite } from '../../../model/site.ts';

export interface FieldHint {
  /** The question below which the hint appears: that of the choice, or that of the doubtful answer. */
  key: string;
  text: string;
  /** The question that the hint links to. */
  to?: string;
  /** The answer that a press gives to that question. */
  fills?: string | undefined;
}

/** Whether one of the choices at a question is urgent. */
export const isUrgent = (meanings: Meanings, key: string, value: AnswerValue = ''): boolean =>
  understand(meanings, { [key]: value }).urgent.length > 0;

/**
 * Hints about answers that do not fit together; they never prevent sending. A way of contact without the number or email it
 * needs, a way of contact together with a refusal, or an answer that nobody can be reached by.
 *
 * @param touched the questions that lost the focus: no hint about an answer that is still being typed.
 */
export function findHints(
  meanings: Meanings,
  answers: Answers,
  touched: readonly string[],
  { hints }: PageSite['form'],
  definition: Definition,
): FieldHint[] {
  const label = (choice: string) => labelIn(definition, choice);
  const { ways, refusals } = understand(meanings, answers);
  const [refusal] = refusals;
  const found: FieldHint[] = [];
  // A person who refuses contact needs no valid number.
  for (const key of refusal ? [] : touched) {
    const way = wayOfKey.get(key);
    if (!way || findMissing(way, answers[key]) !== 'unusable') continue;
    const meant = way === 'email' ? suggestEmail(String(answers[key])) : undefined;
    const doubt = way === 'email' ? hints.address : hints.number;
    found.push({ key, text: meant ? fill(hints.meant, { meant }) : doubt, to: key, fills: meant });
  }
  for (const { key, choice, way, asks, missing } of ways) {
    if (refusal) return [{ key, text: fill(hints.both, { choice: label(choice), refusal: label(refusal) }) }];
    // One hint for each missing answer. An unusable one has its hint once it was left.
    const isDoubted = missing === 'unusable' && wayOfKey.has(asks ?? '');
    if (missing && asks && !isDoubted && !found.some(({ to }) => to === asks))
      found.push({ key, text: fill(hints[way], { choice: label(choice) }), to: asks });
  }
  return found;
}

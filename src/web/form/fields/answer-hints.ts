import type { Answers } from '../../../model/answers.ts';
import { findMissing, type Meanings, reachedBy, understand } from '../../../model/choice-meanings.ts';
import type { AnswerValue } from '../../../model/field-types.ts';
import { fill } from '../../../model/phrase.ts';
import type { PageSite } from '../../../model/site.ts';

export interface FieldHint {
  /** The question it stands at: where the choice was made, which is where the visitor looks, or the answer itself. */
  key: string;
  text: string;
  /** The question it leads to, where something is missing. */
  to?: string;
}

/** Whether one of the choices at a question is urgent. */
export const isUrgent = (meanings: Meanings, key: string, value: AnswerValue = ''): boolean =>
  understand(meanings, { [key]: value }).urgent.length > 0;

/**
 * What somebody may not have noticed about their own answers, softly and never in the way of sending: a way without what
 * it needs, a way and a refusal together, or a number that cannot be one.
 *
 * @param left the questions that were left once: nothing is said of an answer while it is typed for the first time.
 */
export function findHints(
  meanings: Meanings,
  answers: Answers,
  left: readonly string[],
  { hints }: PageSite['form'],
): FieldHint[] {
  const { ways, refusals } = understand(meanings, answers);
  const [refusal] = refusals;
  const found: FieldHint[] = [];
  // Nothing is needed of who is not contacted.
  for (const key of refusal ? [] : left) {
    const way = reachedBy.get(key);
    if (way && findMissing(way, answers[key]) === 'unusable')
      found.push({ key, text: way === 'email' ? hints.address : hints.number, to: key });
  }
  for (const { key, choice, way, asks, missing } of ways) {
    if (refusal) return [{ key, text: fill(hints.both, { choice, refusal }) }];
    // One that asks for a number is enough.
    if (missing && asks && !found.some(({ to }) => to === asks))
      found.push({ key, text: fill(hints[way], { choice }), to: asks });
  }
  return found;
}

import type { Answers } from '../../model/answers.ts';
import { type Meanings, understand } from '../../model/choice-meanings.ts';
import { fill } from '../../model/phrase.ts';
import type { PageSite } from '../../model/site.ts';

export interface FieldHint {
  /** The question it stands at: where the choice was made, which is where the visitor looks. */
  key: string;
  text: string;
  /** The question it leads to, where something is missing. */
  to?: string;
}

/**
 * What somebody may not have noticed about their own choices, softly and never in the way of sending: a way without what
 * it needs, or a way and a refusal together.
 */
export function findHints(meanings: Meanings, answers: Answers, { hints }: PageSite['form']): FieldHint[] {
  const { ways, refusals } = understand(meanings, answers);
  const [refusal] = refusals;
  const found: FieldHint[] = [];
  for (const { key, choice, way, asks, missing } of ways) {
    if (refusal) return [{ key, text: fill(hints.both, { choice, refusal }) }];
    // One that asks for a number is enough.
    if (missing && asks && !found.some(({ to }) => to === asks))
      found.push({ key, text: fill(hints[way], { choice }), to: asks });
  }
  return found;
}

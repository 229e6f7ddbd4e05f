import type { Answers } from '../../model/answers.ts';
import { behaviourOf } from '../../model/field-types.ts';
import { serverBehaviourOf } from '../../model/server-field-types.ts';
import type { Form } from '../content/content.ts';
import type { CountedChoice } from '../store/contract/counts.ts';

/** The choices made at the questions that the content marks as counted. For a tick box the choice is 'true' or 'false'. */
export function findChosen(
  { definition, counted }: Pick<Form, 'definition' | 'counted'>,
  answers: Answers,
): CountedChoice[] {
  return definition.flatMap((field) => {
    const { key } = field;
    if (!counted.includes(key)) return [];
    const chosen =
      serverBehaviourOf(field).counted?.chosen(answers[key] ?? behaviourOf(field).initial, field) ?? [];
    return chosen.map((choice) => ({ field: key, choice }));
  });
}

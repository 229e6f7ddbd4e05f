import type { Answers } from './answers.ts';
import { isAnswerable, type Meanings, understand } from './choice-meanings.ts';

/** What will come of a form that was sent, as far as its answers tell. The receipt promises this and no more. */
export interface NextStep {
  kind: /** In the ways they chose, and gave what is needed for. */
    | 'reach'
    /** The form does not ask how: the answer goes where they said they can be answered. */
    | 'reply'
    /** Nobody gets in touch, because they asked for that. */
    | 'none'
    /** Nobody can, because they left us nothing to do it with. */
    | 'unreachable';
  /** The ways, where it is `reach`. */
  choices: string;
  /** They made a choice that is one to read first: whom they can call now comes before what we do. */
  urgent: boolean;
}

export function findNextStep(meanings: Meanings, answers: Answers): NextStep {
  const { asked, ways, refusals, words, urgent } = understand(meanings, answers);
  const possible = ways.filter(({ missing }) => !missing).map(({ choice }) => choice);
  const choices = [...possible, ...words].join(', ');
  const findKind = (): NextStep['kind'] => {
    if (refusals.length > 0) return 'none';
    if (asked) return choices ? 'reach' : 'unreachable';
    return isAnswerable(answers) ? 'reply' : 'unreachable';
  };
  return { kind: findKind(), choices, urgent: urgent.length > 0 };
}

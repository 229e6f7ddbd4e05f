import type { Answers } from './answers.ts';
import { type Meanings, understand } from './choice-meanings.ts';

/** What will come of a form that was sent, as far as its answers tell. The receipt promises this and no more. */
export type NextStep =
  /** The form does not ask how: the answer goes where they said they can be answered. */
  | { kind: 'reply' }
  /** In the ways they chose, and gave what is needed for. */
  | { kind: 'reach'; choices: string }
  /** Nobody gets in touch, because they asked for that. */
  | { kind: 'none' }
  /** Nobody can, because they left us nothing to do it with. */
  | { kind: 'unreachable' };

export function findNextStep(meanings: Meanings, answers: Answers): NextStep {
  const { asked, ways, refusals, words } = understand(meanings, answers);
  if (refusals.length > 0) return { kind: 'none' };
  if (!asked) return { kind: 'reply' };
  const possible = ways.filter(({ missing }) => !missing).map(({ choice }) => choice);
  const choices = [...possible, ...words].join(', ');
  return choices ? { kind: 'reach', choices } : { kind: 'unreachable' };
}

import type { Answers } from './answers.ts';
import { canReply, type Meanings, understand } from './choice-meanings.ts';

/** What the trust will do about a submission, as far as the answers tell. The receipt promises nothing more. */
export interface NextStep {
  /**
   * `reach`: contact, in the ways that the visitor chose and gave a number or email for. `reply`: the form does not ask for
   * safe ways, so the trust replies to the number or email given. `none`: no contact, as the visitor asked. `unreachable`:
   * no contact, because the visitor gave no usable number or email.
   */
  kind: 'reach' | 'reply' | 'none' | 'unreachable';
  /** The chosen ways in the words of the original, for the kind `reach`. */
  choices: readonly string[];
  /** The visitor made an urgent choice: the receipt shows first whom to call now. */
  urgent: boolean;
}

export function findNextStep(meanings: Meanings, answers: Answers): NextStep {
  const { asked, ways, refusals, uninterpreted, urgent } = understand(meanings, answers);
  const possible = ways.filter(({ missing }) => !missing).map(({ choice }) => choice);
  const choices = [...possible, ...uninterpreted];
  const findKind = (): NextStep['kind'] => {
    if (refusals.length > 0) return 'none';
    if (asked) return choices.length > 0 ? 'reach' : 'unreachable';
    return canReply(answers) ? 'reply' : 'unreachable';
  };
  return { kind: findKind(), choices, urgent: urgent.length > 0 };
}

import type { FollowUpOutcome, FollowUpStep } from '../store/contract/follow-ups.ts';
import type { FollowUp } from '../store/contract/submission.ts';

/** Long enough for a button pressed twice or a command run again, too short for a colleague with the same name. */
const samePressMs = 10_000;

/** Who recorded a step, and when; null where nobody did. */
export function recordedStep(followUp: FollowUp, step: FollowUpStep): { by: string | null; at: Date } | null {
  const [by, at] = {
    taken: [followUp.takenBy, followUp.takenAt] as const,
    answered: [followUp.answeredBy, followUp.answeredAt] as const,
    'no-contact': [followUp.noContactBy, followUp.noContactAt] as const,
    withdrawn: [followUp.withdrawnBy, followUp.withdrawnAt] as const,
  }[step];
  return at && { by, at };
}

export const isSamePress = (recorded: { by: string | null; at: Date }, by: string, at: Date): boolean =>
  recorded.by === by && Math.abs(at.getTime() - recorded.at.getTime()) <= samePressMs;

/** Whether the step is recorded by this press, or was a moment before it by the same person. */
export function isOwnPress(
  { changed, followUp }: FollowUpOutcome,
  step: FollowUpStep,
  by: string,
  at: Date,
): boolean {
  if (changed) return true;
  // What is answered cannot be taken any more.
  if (step === 'taken' && followUp.answeredAt) return false;
  const recorded = recordedStep(followUp, step);
  return recorded !== null && isSamePress(recorded, by, at);
}

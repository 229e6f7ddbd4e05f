import type { FollowUpOutcome, FollowUpStep } from '../store/contract/follow-ups.ts';

/** Long enough for a button pressed twice or a command run again, too short for a colleague with the same name. */
const samePressMs = 10_000;

/** Whether the step is recorded by this press, or was a moment before it by the same person. */
export function isOwnPress(
  { changed, followUp }: FollowUpOutcome,
  step: FollowUpStep,
  by: string,
  at: Date,
): boolean {
  if (changed) return true;
  const { takenBy, takenAt, answeredBy, answeredAt } = followUp;
  // What is answered cannot be taken any more.
  if (step === 'taken' && answeredAt) return false;
  const [recordedBy, recordedAt] = step === 'taken' ? [takenBy, takenAt] : [answeredBy, answeredAt];
  return (
    recordedBy === by && recordedAt !== null && Math.abs(at.getTime() - recordedAt.getTime()) <= samePressMs
  );
}

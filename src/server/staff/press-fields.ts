import type { FastifyRequest } from 'fastify';
import type { StaffMessage } from '../../model/staff-page.ts';
import type { FollowUpStep, TeamStep } from '../store/contract/follow-ups.ts';
import type { StoredSubmission } from '../store/contract/submission.ts';

/** What a press posts, and what the address says of it after the redirect. */

/** The name of what came of a press, in the address to which the browser is redirected. */
export const outcomeParameter = 'now';

const steps: readonly FollowUpStep[] = ['taken', 'answered', 'no-contact', 'withdrawn'];
export const readStep = (value: string | null): FollowUpStep | null =>
  steps.find((step) => step === value) ?? null;
/** What a person asked for is mailed by a job. */
export const isTeamStep = (step: FollowUpStep): step is TeamStep => step === 'taken' || step === 'answered';

export const readTime = (value: string | null): Date | null =>
  value !== null && /^\d{1,13}$/.test(value) ? new Date(Number(value)) : null;

/** What came of the press before a redirect, as far as it is still so. */
export function readOutcome(request: FastifyRequest, { followUp }: StoredSubmission): StaffMessage | null {
  const outcome = (request.query as Record<string, unknown>)[outcomeParameter];
  const { takenAt, answeredAt, noContactAt, withdrawnAt } = followUp;
  switch (outcome) {
    case 'taken':
      return takenAt && !answeredAt ? outcome : null;
    case 'answered':
      return answeredAt ? outcome : null;
    case 'late':
      return takenAt || answeredAt || noContactAt || withdrawnAt ? outcome : null;
    case 'no-contact':
      return noContactAt ? outcome : null;
    case 'withdrawn':
      return withdrawnAt ? outcome : null;
    case 'unreached':
    case 'many':
    case 'undone':
    case 'changed':
      return outcome;
    default:
      return null;
  }
}

import type { Archive } from './archive.ts';
import type { JobClaim } from './jobs.ts';
import type { StoredSubmission } from './submission.ts';

/** A job of a submission, with the submission as it is now. */
export interface ClaimedSubmission extends JobClaim {
  submission: StoredSubmission;
}

/** Without those that have just been erased, and their jobs with them. */
export async function withSubmissions(
  store: Pick<Archive, 'findSubmissions'>,
  claims: readonly JobClaim[],
): Promise<ClaimedSubmission[]> {
  if (claims.length === 0) return [];
  const found = await store.findSubmissions(claims.flatMap(({ reference }) => reference ?? []));
  const byReference = new Map(found.map((submission) => [submission.reference, submission]));
  return claims.flatMap((claim) => {
    const submission = byReference.get(claim.reference ?? '');
    return submission ? [{ ...claim, submission }] : [];
  });
}

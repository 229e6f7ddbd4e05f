import type { Archive } from '../store/contract/archive.ts';
import type { JobClaim, Jobs } from '../store/contract/jobs.ts';
import type { StoredSubmission } from '../store/contract/submission.ts';
import { retryWrite } from './retry-write.ts';

/** A job of a submission, with the submission as it is now. */
interface OpenClaim {
  claim: JobClaim;
  submission: StoredSubmission;
}

/** Completes the jobs that have no reason any more. Those whose submission was erased are gone already. */
export async function findOpenClaims(
  store: Pick<Archive, 'findSubmissions'> & Pick<Jobs, 'completeJob'>,
  claims: readonly JobClaim[],
  isOpen: (submission: StoredSubmission, claim: JobClaim) => boolean,
): Promise<{ open: OpenClaim[]; closed: number }> {
  const found = await store.findSubmissions(claims.flatMap(({ reference }) => reference ?? []));
  const byReference = new Map(found.map((submission) => [submission.reference, submission]));
  const open: OpenClaim[] = [];
  for (const claim of claims) {
    const submission = byReference.get(claim.reference ?? '');
    if (submission && isOpen(submission, claim)) open.push({ claim, submission });
    else await retryWrite(() => store.completeJob(claim));
  }
  return { open, closed: claims.length - open.length };
}

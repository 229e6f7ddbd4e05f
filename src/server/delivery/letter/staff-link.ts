import type { StoredSubmission } from '../../store/contract/submission.ts';
import type { Mailing } from '../mail-transport.ts';
import type { Letter } from './letter.ts';

/** The link below the letter about a request. None for the canary, which concerns nobody. */
export function linkToStaffPage(
  { reference, canary }: Pick<StoredSubmission, 'reference' | 'canary'>,
  staffLink: Mailing['staffLink'],
): Letter['link'] {
  if (!staffLink || canary) return undefined;
  return { label: 'I’ll take this / I’ve answered', url: staffLink(reference) };
}

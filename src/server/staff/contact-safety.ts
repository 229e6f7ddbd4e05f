import type { StaffRequest } from '../../model/staff-page.ts';
import { findCallWays, writeCallCard } from '../delivery/letter/call-card.ts';
import { describeDiscretion } from '../delivery/letter/call-limits.ts';
import { describeNoContact } from '../delivery/letter/change-words.ts';
import { refused } from '../delivery/letter/contact-banner.ts';
import { isContactRefused, understandSubmission } from '../delivery/letter/safe-contact.ts';
import { findSafeTimes } from '../delivery/letter/safe-times.ts';
import type { StoredSubmission } from '../store/contract/submission.ts';

/** What the page says of contact: nothing of it is the person's own words, not even the times that they chose. */
export function describeContactSafety(
  submission: StoredSubmission,
): Pick<StaffRequest, 'warning' | 'callCard'> {
  const noContact = describeNoContact(submission);
  if (noContact) return { warning: noContact, callCard: null };
  if (isContactRefused(submission)) return { warning: refused, callCard: null };
  if (submission.damaged !== undefined) return { warning: { ...unknown, lines: [damaged] }, callCard: null };
  if (!Array.isArray(submission.answers)) return { warning: { ...unknown, lines: [sealed] }, callCard: null };
  const ways = findCallWays(understandSubmission(submission), submission);
  if (ways.length === 0) return { warning: null, callCard: null };
  const { times, discreet, ownWords } = findSafeTimes(submission);
  const isDiscreet = discreet.length > 0;
  const limits = [
    ...(times.length > 0 || ownWords.length > 0 ? [safeTimesAlone] : []),
    ...describeDiscretion(ways, isDiscreet),
  ];
  return { warning: null, callCard: { limits, steps: writeCallCard(ways, isDiscreet) } };
}

const unknown = { tone: 'caution', shout: 'DO NOT CONTACT THIS PERSON YET.' } as const;
const damaged =
  'The stored answers are damaged: nothing says whether it is safe. Please show this to the person who runs the website.';
const sealed =
  'Open the sealed answers in the mail first: they say whether, when and how this person may be contacted.';
const safeTimesAlone = 'Only at the safe times. They are in the mail.';

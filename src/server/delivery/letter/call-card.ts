import type { Entry } from '../../../model/answers.ts';
import { findMissing, type Understood, type Way } from '../../../model/choice-meanings.ts';
import { serverForms } from '../../../model/server-forms.ts';
import type { Step } from '../../../model/staff-page.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { findReplyTo, isContactRefused, isPhoneWay } from './safe-contact.ts';

/** The ways, of a call and a text, in which this person may be reached now: chosen as safe, with a number that could work. */
export function findCallWays(understood: Understood | null, submission: StoredSubmission): Way[] {
  if (!understood || isContactRefused(submission)) return [];
  const { asked, ways } = understood;
  if (asked || !serverForms[submission.form].mayReplyUnasked)
    return [...new Set(ways.filter(({ missing }) => !missing).map(({ way }) => way))].filter(isPhoneWay);
  // A message is answered by email, and by a call only if nobody can write.
  const phone = (submission.answers as Entry[]).find(({ key }) => key === 'Phone')?.value;
  return findReplyTo(submission) || phone === undefined || findMissing('call', phone) ? [] : ['call'];
}

/**
 * What to know before dialling. It has no word of the request, because the page for staff shows it too. `isDiscreet`: they
 * chose that no message is left, which then stands above the card, in larger letters (call-limits.ts).
 *
 * 0197 is Spark's prefix, of landlines and mobiles; #31# is the one of all GSM networks (3GPP TS 22.030). Not every exchange of
 * an office passes them on, so staff test it first.
 */
export function writeCallCard(ways: readonly Way[], isDiscreet: boolean): Step[] {
  const discreetly = isDiscreet ? [] : ways.map((way) => (way === 'call' ? 'voicemail' : 'a text'));
  return [
    ...(ways.includes('call') ? beforeCall : []),
    ...discreetly.slice(0, 1).map((): Step => [`In ${discreetly.join(' or ')}:`, 'name neither us nor why.']),
  ];
}

const beforeCall: readonly Step[] = [
  ['Hide your number:', 'dial 0197 before theirs, or #31# on a mobile. Test it on your own phone first.'],
  ['Ask “Is this a good time?”', 'Say who you are only when you are sure it is them.'],
  ['Somebody else answers?', '“Sorry, wrong number.” Hang up.'],
];

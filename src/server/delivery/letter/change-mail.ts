import type { Change } from '../../store/contract/changes.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { formatNzTime } from '../../time/nz-time.ts';
import type { Mail } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';
import { createNoticeMail } from '../notices/send-notice.ts';
import {
  describeNoContact,
  describeWithdrawn,
  formatErasing,
  isSealed,
  listDetails,
} from './change-words.ts';
import { describeContact } from './contact-banner.ts';
import type { Banner, Letter } from './letter.ts';
import { onOneLine } from './printable.ts';
import { isContactRefused, understandSubmission } from './safe-contact.ts';
import { linkToStaffPage } from './staff-link.ts';
import { nouns } from './submission-letter.ts';
import { createThreadMail, notThisOne } from './thread-mail.ts';

/** Tells the mailbox, in the thread of the request, what was said about it last. */
export function createChangeMail(
  submission: StoredSubmission,
  change: Change,
  parts: Pick<Mailing, 'site' | 'addresses' | 'staffLink'>,
  date: Date,
): Mail {
  const { reference, form } = submission;
  const link = linkToStaffPage(submission, parts.staffLink);
  const letter: Letter = {
    title: describe(submission, change),
    banners: [describeStop(submission) ?? [], describeWithdrawn(submission) ?? []].flat(),
    facts: [
      ['Reference', reference],
      ['Recorded', `${formatNzTime(change.at)} (New Zealand time)`],
      ...listDetails(change),
    ],
    notes: [
      ...(isSealed(change)
        ? ['What they said is in the attached file, sealed. Open it as you open answers.']
        : []),
      ...(isContactRefused(submission)
        ? []
        : [`The email with their ${nouns[form]} says whether, when and how you may reach them.`]),
      notThisOne,
    ],
    link: link && { ...link, label: labelOf(change) },
  };
  const { answers } = change;
  const attachment =
    answers && !Array.isArray(answers)
      ? { filename: `${reference}-change.age`, content: answers.sealed }
      : undefined;
  return createThreadMail(submission, letter, nameOf(submission, change), parts, date, attachment);
}

/** The same again where it is sent twice. */
const nameOf = ({ reference }: StoredSubmission, { at }: Change) => `change-${reference}-${at.getTime()}`;

/** Red too where their answers asked for it. */
function describeStop(submission: StoredSubmission): Banner | null {
  if (!isContactRefused(submission)) return null;
  return (
    describeNoContact(submission) ?? describeContact(understandSubmission(submission), submission, false)
  );
}

function labelOf({ said, isUndo }: Change): string {
  return !isUndo && (said === 'no-contact' || said === 'withdrawn')
    ? 'If that is wrong, undo it here'
    : 'Open its page';
}

function describe({ followUp }: StoredSubmission, { said, by, isUndo }: Change): string {
  const who = by === null ? 'Somebody' : onOneLine(by);
  switch (said) {
    case 'no-contact':
      return isUndo
        ? 'Undone: they did not ask us to stop contacting them'
        : `${who} says: they asked us not to contact them any more`;
    case 'withdrawn':
      return isUndo ? 'Undone: they did not withdraw it' : `${who} says: they withdrew it`;
    case 'unreached':
      return `${who} could not reach them.${followUp.withdrawnAt || followUp.answeredAt ? '' : ' The reminders go on.'}`;
    case 'details':
      return `${who} wrote down what they told us`;
    default:
      return said satisfies never;
  }
}

/** Tells others that an urgent request was withdrawn before anybody took it: who has the link could end its reminders. */
export function createWithdrawnNotice(
  submission: StoredSubmission,
  change: Change,
  to: readonly string[],
  mailing: Pick<Mailing, 'site' | 'addresses' | 'now' | 'othersLink'>,
): Mail {
  const { reference, form, receivedAt, followUp } = submission;
  const link = linkToStaffPage(submission, mailing.othersLink);
  return createNoticeMail(mailing, {
    name: `withdrawn-${reference}-${change.at.getTime()}`,
    to,
    urgent: true,
    letter: {
      title: `Urgent ${nouns[form]} ${reference} was withdrawn, and nobody had taken it`,
      banners: [
        {
          tone: 'urgent' as const,
          shout: 'URGENT',
          lines: [
            'Somebody recorded that the person withdrew it. It may have been somebody else, who has the link.',
            `Please ask your team now. Nobody is reminded of it, and it will be erased on ${formatErasing(followUp.withdrawnAt ?? change.at)}.`,
          ],
        },
        describeStop(submission) ?? [],
      ].flat(),
      facts: [
        ['Reference', reference],
        ['Received', formatNzTime(receivedAt)],
        ['Withdrawn', formatNzTime(change.at)],
      ],
      link: link && { ...link, label: 'If that is wrong, undo it here' },
    },
  });
}

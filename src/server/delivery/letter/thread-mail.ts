import type { TeamStep } from '../../store/contract/follow-ups.ts';
import type { FollowUp, StoredSubmission } from '../../store/contract/submission.ts';
import { formatNzTime } from '../../time/nz-time.ts';
import type { Mail } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';
import type { Banner, Letter } from './letter.ts';
import { mailFrom, siteSender } from './mail-from.ts';
import { onOneLine } from './printable.ts';
import { linkToStaffPage } from './staff-link.ts';
import { nouns } from './submission-letter.ts';
import { subjectOf } from './submission-mail.ts';

/**
 * Mails in the thread of a submission's mail, to the same people. They have the key of its page and not a word of it, and
 * invite no reply: without Reply-To one goes to the site's own address.
 */

type Subject = Pick<StoredSubmission, 'reference' | 'form' | 'delivery'>;
type Parts = Pick<Mailing, 'site' | 'addresses' | 'staffLink'>;

export const notThisOne = 'A reply to this email does not reach the person who wrote.';
const thatOne = (form: StoredSubmission['form']) =>
  `To answer them, reply to the email with their ${nouns[form]}.`;
const otherwise = (form: StoredSubmission['form']) =>
  `The email with their ${nouns[form]} says how you may reach them.`;

/** Takes the link of a submission to which staff may answer by email. @param invitesReply whether its own mail does */
export function createLinkMail(submission: Subject, invitesReply: boolean, parts: Parts, date: Date): Mail {
  const { reference, form } = submission;
  // In a thread mail programs offer to reply to the last mail, and the answer would not arrive.
  const warning: Banner = {
    tone: 'caution',
    shout: notThisOne,
    lines: [(invitesReply ? thatOne : otherwise)(form)],
  };
  const letter = {
    title: `The link for ${nouns[form]} ${reference}`,
    banners: [warning],
    notes: ['It comes in its own email, so that it is not in your reply.'],
    link: linkToStaffPage(submission, parts.staffLink),
  };
  return createThreadMail(submission, letter, `link-${reference}`, parts, date);
}

/** A button that was pressed, and the state after it. */
export interface Press {
  step: TeamStep;
  isUndo: boolean;
  followUp: FollowUp;
  at: Date;
}

/** Tells the mailbox what a colleague pressed. @param invitesReply whether the mail with the submission does */
export function createPressMail(
  submission: Subject,
  press: Press,
  invitesReply: boolean,
  parts: Parts,
  date: Date,
): Mail {
  const { reference, form } = submission;
  const link = linkToStaffPage(submission, parts.staffLink);
  const letter: Letter = {
    title: describePress(press),
    facts: [
      ['Reference', reference],
      ['Pressed', `${formatNzTime(press.at)} (New Zealand time)`],
    ],
    notes: [invitesReply ? `${notThisOne} ${thatOne(form)}` : notThisOne],
    link: link && (press.isUndo ? link : { ...link, label: undoLabels[press.step] }),
  };
  return createThreadMail(submission, letter, `press-${reference}-${press.at.getTime()}`, parts, date);
}

const undoLabels = {
  taken: 'Undo it, or press “I’ve answered”',
  answered: 'If it is not answered, undo it here',
};

function describePress({ step, isUndo, followUp }: Press): string {
  const formatName = (name: string | null) => onOneLine(name ?? '');
  const { takenBy, answeredBy } = followUp;
  const state = takenBy ? `${formatName(takenBy)} is on it.` : 'Nobody is on it.';
  if (isUndo)
    return step === 'answered' ? `Undone: it is not answered. ${state}` : 'Undone: nobody is on it.';
  return step === 'taken'
    ? state
    : `${formatName(answeredBy)} says that it is answered. There will be no more reminders.`;
}

export function createThreadMail(
  submission: Subject,
  letter: Letter,
  name: string,
  { site, addresses }: Parts,
  date: Date,
  attachment?: Mail['attachment'],
): Mail {
  const { form, reference, delivery } = submission;
  return mailFrom(letter, {
    name,
    inReplyTo: reference,
    from: siteSender(site(), addresses.from),
    to: addresses.to[form],
    // Several mail programs find a thread by its subject.
    subject: `Re: ${delivery.urgent ? 'URGENT ' : ''}${subjectOf(submission, site())}`,
    date,
    attachment,
  });
}

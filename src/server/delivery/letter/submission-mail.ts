import type { FormName } from '../../../model/form-field.ts';
import { asText } from '../../../model/phrase.ts';
import type { Site } from '../../../model/site.ts';
import { fillFrom } from '../../../model/site-words.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import type { Mail, MailAddresses } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';
import { mailFrom, siteSender } from './mail-from.ts';
import { findReplyTo, mayEmail } from './safe-contact.ts';
import { linkToStaffPage } from './staff-link.ts';
import { nouns, writeLetter } from './submission-letter.ts';

/** The form's name on the card of the home page: 'Get Help'. */
export function formTitle(site: Site, form: FormName): string {
  const card = site.cards.find(({ page }) => page === form);
  return asText(fillFrom(site, card?.title ?? site.pages[form].heading));
}

export const subjectOf = ({ form, reference }: Pick<StoredSubmission, 'form' | 'reference'>, site: Site) =>
  `[${formTitle(site, form)}] New ${nouns[form]} ${reference}`;

/** In a mail that staff may answer: mail programs quote it, with what stands above this line too. */
const beforeReply = 'Before you reply: delete everything that this email says. It repeats what they wrote.';

/** The mail that takes a submission to staff. Subject and addresses tell nothing about the visitor. */
export function createSubmissionMail(
  submission: StoredSubmission,
  site: Site,
  addresses: MailAddresses,
  date: Date,
  staffLink?: Mailing['staffLink'],
): Mail {
  const { form, reference, answers } = submission;
  const letter = {
    ...writeLetter(submission, formTitle(site, form), true),
    // A reply quotes this mail, so its link comes in a mail of its own (thread-mail.ts).
    ...(mayEmail(submission)
      ? { beforeAnswers: beforeReply }
      : { link: linkToStaffPage(submission, staffLink) }),
  };
  return mailFrom(letter, {
    name: reference,
    from: siteSender(site, addresses.from),
    to: addresses.to[form],
    replyTo: findReplyTo(submission),
    subject: subjectOf(submission, site),
    urgent: submission.delivery.urgent,
    date,
    attachment: Array.isArray(answers)
      ? undefined
      : { filename: `${reference}.age`, content: answers.sealed },
  });
}

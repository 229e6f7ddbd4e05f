import type { FormName } from '../../../model/form-field.ts';
import { fillFrom } from '../../../model/page-title.ts';
import { asText } from '../../../model/phrase.ts';
import type { Site } from '../../../model/site.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import type { Mail } from '../mail.ts';
import { nounFor, writeLetter } from './letter.ts';
import { letterAsHtml } from './letter-html.ts';
import { letterAsText } from './letter-text.ts';
import { findReplyTo } from './safe-contact.ts';

export interface MailAddresses {
  from: string;
  to: Record<FormName, readonly string[]>;
}

/** The form's name as the home page's card gives it: 'Get Help'. */
export function formTitle(site: Site, form: FormName): string {
  const card = site.cards.find(({ page }) => page === form);
  return asText(fillFrom(site, card?.title ?? site.pages[form].heading));
}

export function sender(site: Site, address: string): Mail['from'] {
  return { name: `${asText(site.organisation)} website`, address };
}

export function hasUrgent(submissions: readonly StoredSubmission[]): boolean {
  return submissions.some(({ delivery }) => delivery.urgent);
}

/** In front of a subject, where one of them is to be read before all others. It says nothing of why. */
export function markUrgent(submissions: readonly StoredSubmission[]): string {
  return hasUrgent(submissions) ? 'URGENT ' : '';
}

/** The mail that takes a submission to staff. Subject and addresses tell nothing about who sent it. */
export function createSubmissionMail(
  submission: StoredSubmission,
  site: Site,
  addresses: MailAddresses,
  date: Date,
): Mail {
  const { form, reference, answers } = submission;
  const title = formTitle(site, form);
  const letter = writeLetter(submission, title, true);
  return {
    name: reference,
    from: sender(site, addresses.from),
    to: addresses.to[form],
    replyTo: findReplyTo(submission),
    subject: `${markUrgent([submission])}[${title}] New ${nounFor(form)} ${reference}`,
    urgent: submission.delivery.urgent,
    text: letterAsText(letter),
    html: letterAsHtml(letter),
    date,
    attachment: Array.isArray(answers)
      ? undefined
      : { filename: `${reference}.age`, content: answers.sealed },
  };
}

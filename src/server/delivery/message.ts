import type { FormName } from '../../model/form-field.ts';
import { fillFrom } from '../../model/page-title.ts';
import { plain } from '../../model/phrase.ts';
import type { Site } from '../../model/site.ts';
import type { StoredSubmission } from '../submissions/stored-submission.ts';
import { nounFor, writeLetter } from './letter.ts';
import { letterAsHtml } from './letter-html.ts';
import { letterAsText } from './letter-text.ts';
import type { Mail } from './mail.ts';
import { findReplyTo } from './safe-contact.ts';

export interface MailAddresses {
  from: string;
  to: Record<FormName, string>;
}

/** The form's name as the home page's card gives it: 'Get Help'. */
export function formTitle(site: Site, form: FormName): string {
  const card = site.cards.find(({ page }) => page === form);
  return plain(fillFrom(site, card?.title ?? site.pages[form].heading));
}

export function sender(site: Site, addresses: MailAddresses): Mail['from'] {
  return { name: `${plain(site.organisation)} website`, address: addresses.from };
}

/** The mail that takes a submission to staff. Subject and addresses tell nothing about who sent it. */
export function createMessage(
  submission: StoredSubmission,
  site: Site,
  addresses: MailAddresses,
  date: Date,
): Mail {
  const { form, reference, answers } = submission;
  const title = formTitle(site, form);
  const letter = writeLetter(submission, title);
  return {
    name: reference,
    from: sender(site, addresses),
    to: addresses.to[form],
    replyTo: findReplyTo(submission),
    subject: `[${title}] New ${nounFor(form)} ${reference}`,
    text: letterAsText(letter),
    html: letterAsHtml(letter),
    date,
    attachment: Array.isArray(answers)
      ? undefined
      : { filename: `${reference}.age`, content: answers.sealed },
  };
}

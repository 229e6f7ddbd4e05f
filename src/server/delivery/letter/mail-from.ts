import { asText } from '../../../model/phrase.ts';
import type { Site } from '../../../model/site.ts';
import type { Mail } from '../mail.ts';
import type { Letter } from './letter.ts';
import { letterAsHtml } from './letter-html.ts';
import { letterAsText } from './letter-text.ts';

interface MailHead extends Omit<Mail, 'text' | 'html'> {
  /** What follows the letter, rendered already. */
  below?: { text: readonly string[]; html: string };
}

const betweenLetters = `\n${'-'.repeat(64)}\n\n`;

/** The mail with this letter, or with several, one below the other. A subject says that a mail is urgent, and never why. */
export function mailFrom(letter: Letter | readonly Letter[], { below, ...head }: MailHead): Mail {
  const letters = [letter].flat();
  return {
    ...head,
    subject: `${head.urgent ? 'URGENT ' : ''}${head.subject}`,
    text: letters.map((one) => letterAsText(one, below?.text)).join(betweenLetters),
    html: letterAsHtml(letters, below?.html),
  };
}

export function siteSender(site: Site, address: string): Mail['from'] {
  return { name: `${asText(site.organisation)} website`, address };
}

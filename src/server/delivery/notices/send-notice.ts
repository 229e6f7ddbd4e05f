import { fileNzTime } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { mailFrom, siteSender } from '../letter/mail-from.ts';
import type { Mail } from '../mail.ts';
import type { Mailing, SendOutcome } from '../mail-transport.ts';
import { sendOrShorten } from './send-or-shorten.ts';

export interface Notice {
  letter: Letter;
  /** The mail is named by this and the time. */
  name: string;
  to: readonly string[];
  subject?: string;
  urgent?: boolean;
  /** What follows the letter. */
  below?: { text: readonly string[]; html: string } | undefined;
}

/**
 * Mails a letter that the website itself writes.
 *
 * @throws where the mail cannot be written as bytes
 */
export const sendNotice = async (mailing: Mailing, notice: Notice): Promise<SendOutcome> =>
  sendOrShorten(createNoticeMail(mailing, notice), mailing);

export function createNoticeMail(
  { site, addresses, now }: Pick<Mailing, 'site' | 'addresses' | 'now'>,
  { letter, name, to, subject = letter.title, urgent = false, below }: Notice,
): Mail {
  const date = now();
  return mailFrom(letter, {
    name: `${name}-${fileNzTime(date)}`,
    from: siteSender(site(), addresses.from),
    to,
    subject: `[Website] ${subject}`,
    urgent,
    date,
    ...(below ? { below } : {}),
  });
}

import { fileNzTime } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { mailFrom, siteSender } from '../letter/mail-from.ts';
import { writeMail } from '../mail.ts';
import type { Mailing, SendOutcome } from '../mail-transport.ts';

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
export async function sendNotice(
  { transport, site, addresses, now }: Mailing,
  { letter, name, to, subject = letter.title, urgent = false, below }: Notice,
): Promise<SendOutcome> {
  const date = now();
  const mail = mailFrom(letter, {
    name: `${name}-${fileNzTime(date)}`,
    from: siteSender(site(), addresses.from),
    to,
    subject: `[Website] ${subject}`,
    urgent,
    date,
    ...(below ? { below } : {}),
  });
  return transport.send(await writeMail(mail));
}

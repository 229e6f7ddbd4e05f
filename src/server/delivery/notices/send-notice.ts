import { fileNzTime } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { mailFrom, siteSender } from '../letter/mail-from.ts';
import type { Mail } from '../mail.ts';
import type { Mailing, SendOutcome } from '../mail-transport.ts';
import { sendOrShorten } from './send-or-shorten.ts';

/** A letter that the website itself writes, to staff or to others. */
export interface Notice {
  letter: Letter;
  name: string;
  to: readonly string[];
  subject?: string;
  urgent?: boolean;
  /** What follows the letter. */
  below?: { text: readonly string[]; html: string } | undefined;
}

/**
 * Mails a notice, whose name gets the time: it may come again.
 *
 * @throws where the mail cannot be written as bytes
 */
export const sendNotice = async (mailing: Mailing, notice: Notice): Promise<SendOutcome> =>
  sendOrShorten(
    createNoticeMail(mailing, { ...notice, name: `${notice.name}-${fileNzTime(mailing.now())}` }),
    mailing,
  );

export function createNoticeMail(
  { site, addresses, now }: Pick<Mailing, 'site' | 'addresses' | 'now'>,
  { letter, subject = letter.title, below, ...head }: Notice,
): Mail {
  return mailFrom(letter, {
    ...head,
    from: siteSender(site(), addresses.from),
    subject: `[Website] ${subject}`,
    date: now(),
    ...(below ? { below } : {}),
  });
}

/** Sends what comes at its time, such as a reminder, and logs under this name what became of it. */
export async function sendRegular(
  event: 'reminder' | 'urgent reminder' | 'weekly letter',
  mail: Mail,
  mailing: Pick<Mailing, 'transport' | 'refusals' | 'log'>,
): Promise<'sent' | 'refused' | 'failed'> {
  const { log } = mailing;
  const outcome = await sendOrShorten(mail, mailing);
  if (!outcome.ok) {
    log.error({ event: `${event} not sent`, reason: outcome.reason });
    return outcome.permanent ? 'refused' : 'failed';
  }
  if (outcome.refused?.length)
    log.error({ event: `${event} refused for some addresses`, count: outcome.refused.length });
  log.info({ event: `${event} sent` });
  return 'sent';
}

import type { PostAlert } from '../alerts/post-alert.ts';
import type { Mailing } from '../mail-transport.ts';
import { findOthers, type Mailbox } from '../reminders/mailboxes.ts';
import { type Notice, sendNotice } from './send-notice.ts';

interface TellOthersParts extends Mailing {
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** ALERT_URL. */
  post?: PostAlert | undefined;
}

export interface ForOthers extends Omit<Notice, 'to'> {
  /** What ALERT_URL gets: one sentence, without a word of a request. */
  sentence: string;
}

/**
 * Tells people other than those of a mailbox, because nobody there seems to read it: a mail of its own, and ALERT_URL.
 * Resolves to whether somebody was told.
 */
export function createTellOthers({ escalateTo, post, ...mailing }: TellOthersParts) {
  return async function tellOthers(mailbox: Mailbox, { sentence, ...notice }: ForOthers): Promise<boolean> {
    const to = findOthers(mailbox, mailing.addresses, escalateTo);
    const [mailed, problem] = await Promise.all([
      to.length > 0 ? sendNotice(mailing, { ...notice, to }) : null,
      post ? post({ text: sentence }) : 'no ALERT_URL',
    ]);
    if (mailed && !mailed.ok) mailing.log.error({ event: 'others not told', reason: mailed.reason });
    if (post && problem !== null) mailing.log.error({ event: 'others not alerted', reason: problem });
    return mailed?.ok === true || problem === null;
  };
}

export type TellOthers = ReturnType<typeof createTellOthers>;

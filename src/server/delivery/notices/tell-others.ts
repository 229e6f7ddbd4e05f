import { nzDay } from '../../time/nz-time.ts';
import type { PostAlert } from '../alerts/post-alert.ts';
import type { Mailing } from '../mail-transport.ts';
import { findOthers, type Mailbox } from '../reminders/mailboxes.ts';
import { type Notice, sendNotice } from './send-notice.ts';

interface TellOthersParts extends Mailing {
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** Without a mail server nobody would read the mail. */
  hasMailServer: boolean;
  /** ALERT_URL. */
  post?: PostAlert | undefined;
}

export interface ForOthers extends Omit<Notice, 'to'> {
  /** What ALERT_URL gets: one sentence, without a word of a request. */
  sentence: string;
}

/**
 * Tells people other than those of a mailbox, because nobody there seems to read it: a mail of its own, and ALERT_URL.
 * Resolves to whether they were: by mail, if there is anybody to mail to who does not refuse it for good.
 */
export function createTellOthers({ escalateTo, hasMailServer, post, ...mailing }: TellOthersParts) {
  /** Alerts that got through while their mail did not: the mail is tried again, the alert is not repeated that day. */
  const alerted = new Set<string>();
  /** Alerts that failed while their mail got through. */
  const owed = new Map<string, string>();

  async function tellOthers(mailbox: Mailbox, { sentence, ...notice }: ForOthers): Promise<boolean> {
    const to = hasMailServer ? findOthers(mailbox, mailing.addresses, escalateTo) : [];
    const alert = `${notice.name} ${nzDay(mailing.now())}`;
    const [mailed, problem] = await Promise.all([
      to.length > 0 ? sendNotice(mailing, { ...notice, to }) : null,
      post && !alerted.has(alert) ? post({ text: sentence }) : null,
    ]);
    const posted = post !== undefined && problem === null;
    if (posted) alerted.add(alert);
    if (mailed?.ok) {
      alerted.delete(alert);
      mailing.log.info({ event: 'others told' });
    }
    if (mailed && !mailed.ok) mailing.log.error({ event: 'others not told', reason: mailed.reason });
    if (problem !== null) mailing.log.error({ event: 'others not alerted', reason: problem });
    if (mailed?.ok && problem !== null) owed.set(alert, sentence);
    return mailed?.ok || (posted && (mailed === null || mailed.permanent));
  }

  return {
    tellOthers,
    /** Tries alerts that failed again, on the day on which they were due. */
    async retryAlerts(): Promise<void> {
      for (const [alert, text] of owed) {
        const isToday = alert.endsWith(nzDay(mailing.now()));
        if (!isToday || (await post?.({ text })) === null) owed.delete(alert);
      }
    },
  };
}

export type TellOthers = ReturnType<typeof createTellOthers>['tellOthers'];

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
  /** The sentence as it is by now, for an alert that failed; null once it is over. Without this it stays the same. */
  describeAgain?: () => Promise<string | null>;
}

/** An alert that failed is tried again for so long. */
const owedMs = 24 * 3_600_000;

/**
 * Tells people other than those of a mailbox, because nobody there seems to read it: a mail of its own, and ALERT_URL.
 * Resolves to whether they were: by mail, if there is anybody to mail to who does not refuse it for good.
 */
export function createTellOthers({ escalateTo, hasMailServer, post, ...mailing }: TellOthersParts) {
  /** The day on which ALERT_URL last took each notice, by its name: where the mail is tried again, the alert is not repeated. */
  const alertedOn = new Map<string, string>();
  /** Mails that were refused for good. Each is tried once a day all the same, by each server: a block is lifted. */
  const refusedOn = new Map<string, string>();
  /** Alerts that failed while their mail got through. */
  const owed = new Map<string, { say: () => Promise<string | null>; at: Date }>();

  /** Resolves to null where there is nobody to mail to. */
  async function mailTo(
    mailbox: Mailbox,
    notice: Omit<Notice, 'to'>,
  ): Promise<'sent' | 'refused' | 'failed' | null> {
    const to = hasMailServer ? findOthers(mailbox, mailing.addresses, escalateTo) : [];
    if (to.length === 0) return null;
    const today = nzDay(mailing.now());
    if (refusedOn.get(notice.name) === today) return 'refused';
    const outcome = await sendNotice(mailing, { ...notice, to });
    if (outcome.ok) {
      mailing.log.info({ event: 'others told' });
      return 'sent';
    }
    mailing.log.error({ event: 'others not told', reason: outcome.reason });
    if (!outcome.permanent) return 'failed';
    refusedOn.set(notice.name, today);
    return 'refused';
  }

  /** Resolves to whether ALERT_URL has taken it today. */
  async function alert(name: string, text: string): Promise<boolean> {
    if (!post) return false;
    const today = nzDay(mailing.now());
    if (alertedOn.get(name) === today) return true;
    const problem = await post({ text });
    if (problem === null) alertedOn.set(name, today);
    else mailing.log.error({ event: 'others not alerted', reason: problem });
    return problem === null;
  }

  async function tellOthers(
    mailbox: Mailbox,
    { sentence, describeAgain, ...notice }: ForOthers,
  ): Promise<boolean> {
    const { name } = notice;
    const [mailed, isAlerted] = await Promise.all([mailTo(mailbox, notice), alert(name, sentence)]);
    if (mailed === 'sent' && !isAlerted && post)
      owed.set(name, { say: describeAgain ?? (async () => sentence), at: mailing.now() });
    return mailed === 'sent' || (isAlerted && mailed !== 'failed');
  }

  return {
    tellOthers,
    /** Tries alerts that failed again, for a day, and only while they are true. */
    async retryAlerts(): Promise<void> {
      for (const [name, { say, at }] of owed) {
        const isOld = Math.abs(mailing.now().getTime() - at.getTime()) >= owedMs;
        // While the database is away nobody knows whether it is true.
        const sentence = isOld ? null : await say().catch(() => undefined);
        if (sentence === undefined) continue;
        if (sentence === null || (await alert(name, sentence))) owed.delete(name);
      }
    },
  };
}

export type TellOthers = ReturnType<typeof createTellOthers>['tellOthers'];

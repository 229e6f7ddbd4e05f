import type { FollowUps, UrgentReminder } from '../../store/contract/follow-ups.ts';
import type { Mailing } from '../mail-transport.ts';
import { findMailboxes } from './mailboxes.ts';
import { sendReminder } from './send-reminder.ts';
import { createUrgentMail, mostReminders } from './urgent-mail.ts';

/** A reminder that could not be sent, or whose server died meanwhile, is tried again after this. */
const leaseMs = 5 * 60_000;
const everyMs = 120 * 60_000;

export interface UrgentReminderParts extends Mailing {
  store: Pick<FollowUps, 'claimUrgentReminders' | 'finishUrgentReminder' | 'requestAlert'>;
  /** URGENT_WITHIN_MINUTES. */
  urgentWithinMs: number;
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** An alert goes out with each reminder (ALERT_URL). */
  withAlerts: boolean;
}

/**
 * Mails staff and the people of MAIL_TO_ESCALATE about urgent submissions that nobody has taken, day and night: one mail
 * for all that a mailbox has to be reminded of now.
 */
export function createUrgentReminder(parts: UrgentReminderParts) {
  const { store, site, addresses, urgentWithinMs, escalateTo, withAlerts, now } = parts;
  /** References whose alert went ahead of a mail that could not be sent. */
  const alerted = new Set<string>();

  /** While the mail server is down an alert is the only way left; it goes out once, however often the mail is tried. */
  async function alertInstead(claims: readonly UrgentReminder[]): Promise<void> {
    for (const claim of claims) {
      const { reference } = claim.submission;
      if (!withAlerts || alerted.has(reference)) continue;
      if (await store.requestAlert(claim)) alerted.add(reference);
    }
  }

  return async function remindOfUrgent(): Promise<void> {
    const options = { afterMs: urgentWithinMs, leaseMs, most: mostReminders };
    const claims = await store.claimUrgentReminders(now(), options);
    for (const { forms, to } of findMailboxes(addresses)) {
      const claimed = claims.filter(({ submission }) => forms.includes(submission.form));
      if (claimed.length === 0) continue;
      const mail = createUrgentMail(claimed, [...new Set([...to, ...escalateTo])], site(), parts);
      if (!(await sendReminder(mail, parts))) {
        await alertInstead(claimed);
        continue;
      }
      const nextAt = new Date(now().getTime() + everyMs);
      for (const claim of claimed) {
        const isAlerted = alerted.delete(claim.submission.reference);
        await store.finishUrgentReminder(claim, nextAt, withAlerts && !isAlerted);
      }
    }
  };
}

import type { FollowUps, UrgentReminder } from '../../store/contract/follow-ups.ts';
import type { Mailing } from '../mail-transport.ts';
import { retryWrite } from '../queue/retry.ts';
import { findMailboxes } from './mailboxes.ts';
import { mostNamed } from './open-list.ts';
import { sendReminder } from './send-reminder.ts';
import { createUrgentMail, mostReminders } from './urgent-mail.ts';

/** A reminder that could not be sent, or whose server died meanwhile, is tried again after this. */
const leaseMs = 5 * 60_000;
const everyMs = 120 * 60_000;

export interface UrgentReminderParts extends Mailing {
  store: Pick<FollowUps, 'claimUrgentReminders' | 'finishUrgentReminder'>;
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
  return async function remindOfUrgent(): Promise<void> {
    const options = { afterMs: urgentWithinMs, leaseMs, most: mostReminders };
    const claims = await store.claimUrgentReminders(now(), options);
    for (const { forms, to } of findMailboxes(addresses)) {
      const claimed = claims
        .filter(({ submission }) => forms.includes(submission.form))
        .toSorted(doubtfulLast);
      if (claimed.length === 0) continue;
      const mail = createUrgentMail(claimed, [...new Set([...to, ...escalateTo])], site(), parts);
      const outcome = await sendReminder(mail, parts);
      // Where there are alerts, one goes out in place of the mail. A mail that was refused would be refused again.
      if (outcome === 'failed' && !withAlerts) continue;
      const nextAt = new Date(now().getTime() + everyMs);
      // The others are named in the next mail, once their lease has ended.
      for (const claim of claimed.slice(0, mostNamed))
        await retryWrite(() => store.finishUrgentReminder(claim, nextAt, withAlerts));
    }
  };
}

/** Those that a program may have sent come last, so that a flood of them hides nobody. Otherwise the oldest first. */
const doubtfulLast = (one: UrgentReminder, other: UrgentReminder) =>
  Number(one.submission.verdict.kind !== 'clean') - Number(other.submission.verdict.kind !== 'clean');

import { isDoubtful, isTrapped } from '../../../model/bot-verdict.ts';
import { retryWrite } from '../../jobs/retry-write.ts';
import type { Archive } from '../../store/contract/archive.ts';
import type { FollowUps } from '../../store/contract/follow-ups.ts';
import { closeGate, type Jobs, passGate } from '../../store/contract/jobs.ts';
import type { Mailing } from '../mail-transport.ts';
import { findMailboxes, type Mailbox } from './mailboxes.ts';
import { createUrgentMails, mostReminders } from './urgent-mails.ts';
import { nextReminderAt } from './urgent-pace.ts';

const minuteMs = 60_000;
/** Six mails an hour: a flood of urgent requests would otherwise be a mail a minute. */
const everyMs = 10 * minuteMs;
/** A mail that could not be sent, or whose server died meanwhile, is tried again after this. */
const leaseMs = 5 * minuteMs;
/** Of the requests in it. It has ended by then, so that the next mail names the same ones first. */
const requestLeaseMs = 4 * minuteMs;

export interface UrgentReminderParts extends Mailing {
  store: Pick<
    FollowUps,
    'countUrgentReminders' | 'claimUrgentReminders' | 'finishUrgentReminder' | 'deferDoubtfulReminders'
  > &
    Pick<Archive, 'findSubmission'> &
    Jobs;
  /** REMIND_AT. */
  at: string;
  /** URGENT_WITHIN_MINUTES. */
  urgentWithinMs: number;
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** An alert goes out with each reminder (ALERT_URL). */
  withAlerts: boolean;
}

/**
 * Mails staff, and the people of MAIL_TO_ESCALATE, about urgent submissions that nobody has taken, day and night: all that
 * a mailbox has to be reminded of now in one mail to each.
 */
export function createUrgentReminder(parts: UrgentReminderParts) {
  const { store, addresses, at, urgentWithinMs, withAlerts, now } = parts;
  const mails = createUrgentMails({ ...parts, retryMs: leaseMs });

  async function remind(mailbox: Mailbox): Promise<void> {
    const { forms } = mailbox;
    const which = { afterMs: urgentWithinMs, forms };
    const startedAt = now();
    const count = await store.countUrgentReminders(startedAt, which);
    const gate = { name: `urgent reminder ${forms[0]}`, everyMs, leaseMs };
    const passed = count > 0 && (await passGate(store, gate, startedAt));
    if (!passed) return;
    const options = { ...which, leaseMs: requestLeaseMs, limit: mostReminders };
    const claims = await store.claimUrgentReminders(startedAt, options);
    if (claims.length === 0) return;

    const total = Math.max(count, claims.length);
    const outcome = await mails.send(mailbox, claims, total);
    const sentAt = now();
    for (const claim of claims) {
      const alert = withAlerts && !isTrapped(claim.submission.verdict);
      // Where there are alerts, one goes out in place of the mail. A mail that was refused would be refused again.
      if (outcome === 'failed' && !alert) continue;
      await retryWrite(() => store.finishUrgentReminder(claim, nextReminderAt(claim, sentAt, at), alert));
    }
    if (outcome === 'failed') return;
    // The mail has counted them. A flood would otherwise fill a mail every ten minutes, for as long as it is stored.
    const last = claims.findLast(({ submission }) => isDoubtful(submission.verdict));
    if (last && total > claims.length)
      await store.deferDoubtfulReminders(startedAt, which, nextReminderAt(last, sentAt, at));
    await retryWrite(() => closeGate(store, passed, gate, sentAt));
  }

  return async function remindOfUrgent(): Promise<void> {
    for (const mailbox of findMailboxes(addresses)) await remind(mailbox);
    await mails.sendOwed();
  };
}

import { isDoubtful, isTrapped } from '../../../model/bot-verdict.ts';
import { findOpenClaims } from '../../jobs/open-claims.ts';
import { retryWrite } from '../../jobs/retry-write.ts';
import type { Archive } from '../../store/contract/archive.ts';
import {
  closeGate,
  type DueJobs,
  type JobClaim,
  type Jobs,
  passGate,
  releaseJob,
} from '../../store/contract/jobs.ts';
import {
  doubtfulRank,
  namedRank,
  type ReminderReaders,
  reminderKind,
  reminderReaders,
} from '../../store/contract/submission-jobs.ts';
import type { Mailing } from '../mail-transport.ts';
import { findMailboxes, firstForm, type Mailbox, withoutTheirs } from './mailboxes.ts';
import { mostBare, mostNamed } from './open-list.ts';
import { sendReminder } from './send-reminder.ts';
import { createUrgentMail } from './urgent-mail.ts';
import { nextReminderAt, type UrgentReminder } from './urgent-pace.ts';

const minuteMs = 60_000;
/** Six mails an hour: a flood of urgent requests would otherwise be a mail a minute. */
const everyMs = 10 * minuteMs;
/** A mail that could not be sent, or whose server died meanwhile, is tried again after this. */
const leaseMs = 5 * minuteMs;
/** Of the requests in it. It has ended by then, so that the next mail names the same ones first. */
const requestLeaseMs = 4 * minuteMs;
/** The longest wait for the next reminder. */
const longestMs = 14 * 60 * minuteMs;
export const mostReminders = mostNamed + mostBare;

export interface UrgentReminderParts extends Mailing {
  store: Pick<Archive, 'findSubmissions'> & Jobs;
  /** REMIND_AT. */
  at: string;
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** An alert goes out with each reminder (ALERT_URL). */
  withAlerts: boolean;
}

type ClaimedReminder = UrgentReminder & { claim: JobClaim };

/**
 * Mails staff, and the people of MAIL_TO_ESCALATE, about urgent submissions that nobody has taken, day and night: all that
 * a mailbox has to be reminded of now in one mail. The two have mails of their own. In one SMTP transaction a server that
 * refuses the mail because of one of them would silence the other.
 */
export function createUrgentReminder(parts: UrgentReminderParts) {
  const { store, addresses, escalateTo, at, withAlerts, now } = parts;

  /**
   * Those first that no reminder has named, clients in turns. New ones of a few clients come without end, so the oldest
   * have half of the places.
   */
  async function claimReminders(which: DueJobs, at: Date): Promise<JobClaim[]> {
    const claim = (limit: number, oldestFirst: boolean) =>
      store.claimJobs({ ...which, leaseMs: requestLeaseMs, limit, oldestFirst }, at);
    const first = await claim(mostReminders / 2, false);
    const rest = await claim(mostReminders - first.length, true);
    return [...first, ...rest].toSorted((one, other) => one.rank - other.rank);
  }

  async function send(
    reminders: readonly UrgentReminder[],
    count: number,
    who: { to: readonly string[]; readers: ReminderReaders },
  ) {
    const inFolder = (await parts.findInFolder?.()) ?? new Set<string>();
    const staffLink = who.readers === 'team' ? parts.staffLink : parts.othersLink;
    return sendReminder(createUrgentMail(reminders, count, who, { ...parts, staffLink, inFolder }), parts);
  }

  async function alert({ claim, submission }: ClaimedReminder): Promise<boolean> {
    if (!withAlerts || isTrapped(submission.verdict)) return false;
    const { reference, receivedAt } = submission;
    const job = { kind: 'alert again', key: `alert:${reference}`, dueAt: receivedAt, rank: claim.rank };
    return retryWrite(() => store.replaceJob({ ...job, reference }));
  }

  async function remind({ forms }: Mailbox, to: readonly string[], readers: ReminderReaders): Promise<void> {
    if (to.length === 0) return;
    const which = { kinds: forms.map((form) => reminderKind(readers, form)), longestMs };
    const startedAt = now();
    const due = await store.countJobs(which, startedAt);
    const name = `urgent reminder ${firstForm({ forms })}${readers === 'team' ? '' : ' others'}`;
    const gate = { name, everyMs, leaseMs };
    const passed = due > 0 && (await passGate(store, gate, startedAt));
    if (!passed) return;
    const claims = await claimReminders(which, startedAt);
    const isUntaken = ({ followUp }: UrgentReminder['submission']) =>
      !followUp.takenAt && !followUp.answeredAt;
    const { open, closed } = await findOpenClaims(store, claims, isUntaken);
    const reminders = open.map((one): ClaimedReminder => ({ ...one, before: one.claim.attempts - 1 }));
    if (reminders.length === 0) return;

    const count = Math.max(due - closed, reminders.length);
    const outcome = await send(reminders, count, { to, readers });
    const sentAt = now();
    for (const one of reminders) {
      const { claim } = one;
      const isAlerted = readers === 'team' && (await alert(one));
      // Where there are alerts, one goes out in place of the mail.
      await retryWrite(() =>
        outcome === 'failed' && !isAlerted
          ? releaseJob(store, claim)
          : store.postponeJob(claim, {
              dueAt: nextReminderAt(one, sentAt, at),
              rank: claim.rank + (claim.attempts === 1 ? namedRank : 0),
            }),
      );
    }
    if (outcome === 'failed') return;
    // The mail has counted them. A flood would otherwise fill a mail every ten minutes, for as long as it is stored.
    const last = reminders.findLast(({ submission }) => isDoubtful(submission.verdict));
    if (last && count > reminders.length)
      await store.deferJobs(
        { ...which, fromRank: doubtfulRank },
        nextReminderAt(last, sentAt, at),
        startedAt,
      );
    await retryWrite(() => closeGate(store, passed, gate, sentAt));
  }

  return async function remindOfUrgent(): Promise<void> {
    for (const mailbox of findMailboxes(addresses))
      for (const readers of reminderReaders)
        await remind(mailbox, readers === 'team' ? mailbox.to : withoutTheirs(mailbox, escalateTo), readers);
  };
}

import { isDoubtful, isTrapped } from '../../../model/bot-verdict.ts';
import { retryWrite } from '../../jobs/retry-write.ts';
import type { Archive } from '../../store/contract/archive.ts';
import { type ClaimedSubmission, withSubmissions } from '../../store/contract/claimed-submissions.ts';
import { closeGate, type DueJobs, type Jobs, passGate } from '../../store/contract/jobs.ts';
import {
  doubtfulRank,
  namedRank,
  type ReminderReaders,
  reminderKind,
  reminderReaders,
} from '../../store/contract/submission-jobs.ts';
import type { Mailing } from '../mail-transport.ts';
import { sendRegular } from '../notices/send-notice.ts';
import { findMailboxes, firstForm, type Mailbox, withoutTheirs } from './mailboxes.ts';
import { mostBare, mostNamed } from './open-list.ts';
import { createUrgentMail } from './urgent-mail.ts';
import { nextReminderAt, type UrgentReminder } from './urgent-pace.ts';

const minuteMs = 60_000;
/** Six mails an hour: a flood of urgent requests would otherwise be a mail a minute. */
const everyMs = 10 * minuteMs;
/** A mail that could not be sent, or whose server died meanwhile, is tried again after this. */
const leaseMs = 5 * minuteMs;
/** Of the requests in it. It has ended by then, so that the next mail names the same ones first. */
const requestLeaseMs = 4 * minuteMs;
/** The longest wait there is for a reminder: URGENT_WITHIN_MINUTES. */
const longestMs = 24 * 60 * minuteMs;
/** While the mail server is down, an alert goes out so often in place of the mail. */
const alertEveryMs = 120 * minuteMs;
const mostReminders = mostNamed + mostBare;

export interface UrgentReminderParts extends Mailing {
  store: Pick<Archive, 'findSubmissions'> & Jobs;
  /** REMIND_AT. */
  at: string;
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** An alert goes out with each reminder (ALERT_URL). */
  withAlerts: boolean;
}

type ClaimedReminder = UrgentReminder & ClaimedSubmission;

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
  async function claimReminders(which: DueJobs, at: Date): Promise<ClaimedReminder[]> {
    const claim = (limit: number, oldestFirst: boolean) =>
      store.claimJobs({ ...which, leaseMs: requestLeaseMs, limit, oldestFirst }, at);
    const first = await claim(mostReminders / 2, false);
    const rest = await claim(mostReminders - first.length, true);
    const claims = [...first, ...rest].toSorted((one, other) => one.rank - other.rank);
    return (await withSubmissions(store, claims)).map((one) => ({ ...one, before: one.done }));
  }

  async function send(
    reminders: readonly UrgentReminder[],
    count: number,
    who: { to: readonly string[]; readers: ReminderReaders },
  ) {
    const inFolder = (await parts.findInFolder?.()) ?? new Set<string>();
    const staffLink = who.readers === 'team' ? parts.staffLink : parts.othersLink;
    const mail = createUrgentMail(reminders, count, who, { ...parts, staffLink, inFolder });
    return sendRegular('urgent reminder', mail, parts);
  }

  /** Resolves to whether there is one. */
  async function alert({ submission, rank }: ClaimedReminder): Promise<boolean> {
    if (!withAlerts || isTrapped(submission.verdict)) return false;
    const { reference, receivedAt } = submission;
    // Due at once, also if the clock of the database is a little behind.
    const dueAt = new Date(receivedAt.getTime() - alertEveryMs);
    const job = { kind: 'alert again', key: `alert:${reference}`, dueAt, rank, reference };
    return retryWrite(() => store.replaceJob(job));
  }

  async function recordSent(one: ClaimedReminder, isTeam: boolean, sentAt: Date): Promise<void> {
    if (isTeam) await alert(one);
    const rank = one.rank + (one.done === 0 ? namedRank : 0);
    const dueAt = nextReminderAt(one, sentAt, at);
    await retryWrite(() => store.postponeJob(one, { dueAt, rank, isDone: true }));
  }

  /** The mail is tried again when the lease of the gate ends, and an alert goes out meanwhile. */
  async function recordFailed(one: ClaimedReminder, isTeam: boolean, at: Date): Promise<void> {
    const isLong = at.getTime() - one.dueAt.getTime() >= alertEveryMs;
    const isAlerted = isTeam && (one.lastError === null || isLong) && (await alert(one));
    await retryWrite(() =>
      isAlerted
        ? store.postponeJob(one, { dueAt: at, isDone: true, error: 'not sent' })
        : store.releaseJob(one),
    );
  }

  async function remind({ forms }: Mailbox, to: readonly string[], readers: ReminderReaders): Promise<void> {
    if (to.length === 0) return;
    const kinds = forms.map((form) => reminderKind(readers, form));
    const which: DueJobs = { kinds, longestMs, only: 'untaken' };
    const startedAt = now();
    const due = await store.countJobs(which, startedAt);
    const name = `urgent reminder ${firstForm({ forms })}${readers === 'team' ? '' : ' others'}`;
    const gate = { name, everyMs, leaseMs };
    const passed = due > 0 && (await passGate(store, gate, startedAt));
    if (!passed) return;
    const reminders = await claimReminders(which, startedAt);
    if (reminders.length === 0) return;

    const count = Math.max(due, reminders.length);
    const outcome = await send(reminders, count, { to, readers });
    const sentAt = now();
    for (const one of reminders) {
      if (outcome === 'failed') await recordFailed(one, readers === 'team', sentAt);
      else await recordSent(one, readers === 'team', sentAt);
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

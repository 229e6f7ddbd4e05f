import type { Archive } from '../../store/contract/archive.ts';
import { compareReminders, type UrgentReminder } from '../../store/contract/follow-ups.ts';
import type { Mailing } from '../mail-transport.ts';
import { firstForm, type Mailbox } from './mailboxes.ts';
import { mostBare, mostNamed } from './open-list.ts';
import { type ReminderOutcome, sendReminder } from './send-reminder.ts';
import { createUrgentMail, type UrgentReaders } from './urgent-mail.ts';

export const mostReminders = mostNamed + mostBare;

interface UrgentMailsParts extends Mailing {
  store: Pick<Archive, 'findSubmission'>;
  /** REMIND_AT. */
  at: string;
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** A mail that the others have got, and these readers have not, is tried again after this. */
  retryMs: number;
}

interface Owed {
  mailbox: Mailbox;
  readers: UrgentReaders;
  claims: readonly UrgentReminder[];
  count: number;
  triedAt: number;
}

/**
 * The mails about urgent submissions that nobody has taken: one to the team, one to the people of MAIL_TO_ESCALATE. In one
 * SMTP transaction a server that refuses the mail because of one of them would silence the other.
 */
export function createUrgentMails(parts: UrgentMailsParts) {
  const { store, escalateTo, retryMs, now } = parts;
  /** In memory: where the server is killed meanwhile, the next reminder goes to all of them. */
  const owed = new Map<string, Owed>();

  function addressesOf({ to }: Mailbox, readers: UrgentReaders): readonly string[] {
    if (readers === 'team') return to;
    const own = new Set(to.map((one) => one.toLowerCase()));
    return escalateTo.filter((one) => !own.has(one.toLowerCase()));
  }

  async function sendTo({ mailbox, readers, claims, count }: Owed): Promise<ReminderOutcome> {
    const to = addressesOf(mailbox, readers);
    const inFolder = (await parts.findInFolder?.()) ?? new Set<string>();
    const some = claims.slice(0, mostReminders);
    const staffLink = readers === 'team' ? parts.staffLink : parts.othersLink;
    const mail = createUrgentMail(some, count, { to, readers }, { ...parts, staffLink, inFolder });
    return sendReminder(mail, parts);
  }

  const keyOf = ({ mailbox, readers }: Owed) => `${firstForm(mailbox)} ${readers}`;

  function remember(one: Owed): void {
    const key = keyOf(one);
    const before = owed.get(key)?.claims ?? [];
    const claims = new Map([...before, ...one.claims].map((claim) => [claim.submission.reference, claim]));
    const all = [...claims.values()].toSorted(compareReminders).slice(0, mostReminders);
    owed.set(key, { ...one, claims: all, count: Math.max(one.count, all.length) });
  }

  /** These readers have just been told of them by the next reminder. */
  function forget(told: Owed): void {
    const before = owed.get(keyOf(told));
    const isTold = new Set(told.claims.map(({ submission }) => submission.reference));
    const claims = before?.claims.filter(({ submission }) => !isTold.has(submission.reference)) ?? [];
    owed.delete(keyOf(told));
    if (before && claims.length > 0) remember({ ...before, claims, count: claims.length });
  }

  /** Without what was taken, answered or erased meanwhile. */
  async function findUntaken(claims: readonly UrgentReminder[]): Promise<UrgentReminder[]> {
    const found = await Promise.all(
      claims.map(async (claim) => {
        const submission = await store.findSubmission(claim.submission.reference);
        const { takenAt = null, answeredAt = null } = submission?.followUp ?? {};
        return submission && !takenAt && !answeredAt ? [{ ...claim, submission }] : [];
      }),
    );
    return found.flat();
  }

  async function sendAgain(key: string, one: Owed): Promise<void> {
    // A clock that was set back delays nothing.
    if (Math.abs(now().getTime() - one.triedAt) < retryMs) return;
    const claims = await findUntaken(one.claims);
    owed.delete(key);
    const again = { ...one, claims, count: one.count - one.claims.length + claims.length };
    if (claims.length > 0 && (await sendTo(again)) === 'failed')
      remember({ ...again, triedAt: now().getTime() });
  }

  return {
    /** 'sent' or 'refused' where one of the mails was; another that failed is tried again by {@link sendOwed}. */
    async send(mailbox: Mailbox, claims: readonly UrgentReminder[], count: number): Promise<ReminderOutcome> {
      const mails = (['team', 'others'] as const)
        .filter((readers) => addressesOf(mailbox, readers).length > 0)
        .map((readers): Owed => ({ mailbox, readers, claims, count, triedAt: now().getTime() }));
      const outcomes = await Promise.all(mails.map(sendTo));
      if (outcomes.every((outcome) => outcome === 'failed')) return 'failed';
      for (const [index, one] of mails.entries()) {
        if (outcomes[index] === 'failed') remember(one);
        else forget(one);
      }
      return outcomes.includes('sent') ? 'sent' : 'refused';
    },

    /** Rejects where the database cannot say what is still untaken. Those mails stay. */
    async sendOwed(): Promise<void> {
      const tried = await Promise.allSettled([...owed].map(([key, one]) => sendAgain(key, one)));
      const failed = tried.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    },
  };
}

import type { FormName } from '../../../model/form-field.ts';
import type { Archive } from '../../store/contract/archive.ts';
import type { FollowUps } from '../../store/contract/follow-ups.ts';
import type { Leases } from '../../store/contract/leases.ts';
import type { CheckClock } from '../../time/clock-trust.ts';
import { nzDay } from '../../time/nz-time.ts';
import { lastWorkingTime } from '../../time/working-days.ts';
import type { Mailing } from '../mail-transport.ts';
import { retryWrite } from '../queue/retry.ts';
import { findMailboxes, type Mailbox } from './mailboxes.ts';
import { createMorningMail } from './morning-mail.ts';
import { sendReminder } from './send-reminder.ts';

/** A reminder that could not be sent, or whose server died meanwhile, is tried again after this. */
const leaseMs = 15 * 60_000;
const lateMs = 12 * 3_600_000;
/** Of more than this, which only a flood of junk makes, the others are not counted. */
const mostOpen = 20_000;

export interface MorningReminderParts extends Mailing {
  store: Pick<FollowUps, 'outlineOpen' | 'recordNamed'> &
    Leases &
    Pick<Archive, 'findTimes' | 'findSubmission'>;
  /** REMIND_AT. */
  at: string;
  /** `remindAfter` is in working days. */
  content: { current(): { remindAfter: Record<FormName, number> } };
  retentionDays: number;
  unseenRetentionDays: number | null;
  checkClock: CheckClock;
}

/** Mails each mailbox once on a working morning, where something waits longer than promised or is about to be erased. */
export function createMorningReminder(parts: MorningReminderParts) {
  const { store, site, content, at, retentionDays, unseenRetentionDays, addresses, checkClock, now } = parts;

  async function writeMail({ forms, to }: Mailbox, due: Date) {
    const before = lastWorkingTime(new Date(due.getTime() - 1), at, site().closed);
    const rules = { at, remindAfter: content.current().remindAfter, retentionDays, unseenRetentionDays };
    const morning = { site: site(), rules, due, before, now: now() };
    const open = await store.outlineOpen(mostOpen, forms);
    return createMorningMail(open, { name: `reminder-${forms[0]}-${nzDay(due)}`, to }, morning, parts);
  }

  return async function remindInTheMorning(): Promise<void> {
    // By a clock that is wrong staff would be reminded of everything, and on the right day of nothing.
    if (checkClock(await store.findTimes()) !== null) return;
    const due = lastWorkingTime(now(), at, site().closed);
    // A server that was off in the morning reminds later in the day, but not at the weekend.
    const isLate = now().getTime() - due.getTime() > lateMs;
    for (const mailbox of findMailboxes(addresses)) {
      const job = { name: `reminder ${mailbox.forms[0]}`, due, leaseMs };
      if (!(await store.claimLease(job, now()))) continue;
      const written = isLate ? null : await writeMail(mailbox, due);
      const outcome = written && (await sendReminder(written.mail, parts));
      if (outcome === 'failed') continue;
      await store.finishLease(job, now());
      if (outcome === 'sent' && written) await retryWrite(() => store.recordNamed(written.references, now()));
    }
  };
}

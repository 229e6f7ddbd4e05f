import type { FormName } from '../../../model/form-field.ts';
import type { RecurringJob } from '../../jobs/recurring-jobs.ts';
import { retryWrite } from '../../jobs/retry-write.ts';
import type { Archive } from '../../store/contract/archive.ts';
import type { FollowUps } from '../../store/contract/follow-ups.ts';
import { nzDay } from '../../time/nz-time.ts';
import { lastWorkingTime, nextWorkingTime } from '../../time/working-days.ts';
import type { Mailing } from '../mail-transport.ts';
import { sendRegular } from '../notices/send-notice.ts';
import { findMailboxes, firstForm, type Mailbox } from './mailboxes.ts';
import { createMorningMail } from './morning-mail.ts';

const lateMs = 12 * 3_600_000;
/** Of more than this, which only a flood of junk makes, the others are not counted. */
const mostOpen = 20_000;

export interface MorningReminderParts extends Mailing {
  store: Pick<FollowUps, 'outlineOpen' | 'recordNamed'> & Pick<Archive, 'findSubmission'>;
  /** REMIND_AT. */
  at: string;
  /** `remindAfter` is in working days. */
  content: { current(): { remindAfter: Record<FormName, number> } };
  retentionDays: number;
  unseenRetentionDays: number | null;
}

/** Mails each mailbox once on a working morning, where something waits longer than promised or is about to be erased. */
export function createMorningReminders(parts: MorningReminderParts): RecurringJob[] {
  const { store, site, content, at, retentionDays, unseenRetentionDays, addresses, now } = parts;

  async function writeMail({ forms, to }: Mailbox, due: Date) {
    const before = lastWorkingTime(new Date(due.getTime() - 1), at, site().closed);
    const rules = { at, remindAfter: content.current().remindAfter, retentionDays, unseenRetentionDays };
    const morning = { site: site(), rules, due, before, now: now() };
    const open = await store.outlineOpen(mostOpen, forms);
    return createMorningMail(open, { name: `reminder-${forms[0]}-${nzDay(due)}`, to }, morning, parts);
  }

  return findMailboxes(addresses).map((mailbox) => ({
    key: `morning:${firstForm(mailbox)}`,
    failed: 'reminder not sent',
    last: (moment) => lastWorkingTime(moment, at, site().closed),
    next: (moment) => nextWorkingTime(moment, at, site().closed),
    async run(due) {
      // A server that was off in the morning reminds later in the day, but not at the weekend.
      if (now().getTime() - due.getTime() > lateMs) return 'done';
      const written = await writeMail(mailbox, due);
      const outcome = written && (await sendRegular('reminder', written.mail, parts));
      if (outcome === 'failed') return 'again';
      // It was sent: whatever becomes of the record, the same mail must not come again.
      if (outcome === 'sent' && written)
        await retryWrite(() => store.recordNamed(written.references, now())).catch((err) =>
          parts.log.error({ event: 'reminder not recorded', err }),
        );
      return 'done';
    },
  }));
}

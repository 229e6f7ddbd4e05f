import type { RecurringJob } from '../../jobs/recurring-jobs.ts';
import type { Timer } from '../../time/run-every.ts';
import { createMorningReminders, type MorningReminderParts } from './morning-reminder.ts';
import { createUnseenJobs, type UnseenJobParts } from './unseen-job.ts';
import { createUrgentReminder, type UrgentReminderParts } from './urgent-reminder.ts';

const minuteMs = 60_000;

interface ReminderParts
  extends Omit<MorningReminderParts, 'store' | 'at' | 'retentionDays' | 'unseenRetentionDays'>,
    Omit<UrgentReminderParts, 'store' | 'at' | 'urgentWithinMs'>,
    Pick<UnseenJobParts, 'tellOthers'> {
  retryAlerts: () => Promise<void>;
  settings: {
    /** Null: nobody is reminded. */
    reminders: { at: string; urgentWithinMs: number } | null;
    /** REMIND_AT. */
    remindAt: string;
    retentionDays: number;
    unseenRetentionDays: number | null;
  };
  store: MorningReminderParts['store'] & UrgentReminderParts['store'] & UnseenJobParts['store'];
}

/** Reminds staff of what nobody has answered, at once of what is urgent and nobody has taken, and others of what nobody has seen. */
export function createReminders({ settings, ...parts }: ReminderParts) {
  const { reminders, remindAt, retentionDays, unseenRetentionDays } = settings;
  const { withAlerts, retryAlerts } = parts;
  const days = { retentionDays, unseenRetentionDays };
  const morning = reminders ? createMorningReminders({ ...parts, ...reminders, ...days }) : [];
  // Without a mail server ALERT_URL hears, if there is one.
  const tellsOfUnseen = unseenRetentionDays !== null && (reminders || withAlerts);
  const unseen = tellsOfUnseen ? createUnseenJobs({ ...parts, at: remindAt, unseenRetentionDays }) : [];
  const timers: Timer[] = [];
  if (reminders)
    timers.push({
      everyMs: minuteMs,
      run: createUrgentReminder({ ...parts, ...reminders }),
      failed: 'urgent reminder not sent',
      isAwaited: true,
    });
  // Also with REMINDERS=off: others are told of refused mails and unread mailboxes too.
  if (withAlerts)
    timers.push({ everyMs: 5 * minuteMs, run: retryAlerts, failed: 'others not alerted', isAwaited: true });
  return { recurring: [...morning, ...unseen] as readonly RecurringJob[], timers };
}

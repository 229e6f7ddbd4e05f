import type { RecurringJob } from '../../jobs/recurring-jobs.ts';
import type { LogEvent } from '../../log/log-events.ts';
import { runEvery, type StopRunning, shutdownGraceMs } from '../../time/run-every.ts';
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
  const { log, withAlerts, retryAlerts } = parts;
  let stops: StopRunning[] = [];
  const days = { retentionDays, unseenRetentionDays };
  const morning = reminders ? createMorningReminders({ ...parts, ...reminders, ...days }) : [];
  // Without a mail server ALERT_URL hears, if there is one.
  const tellsOfUnseen = unseenRetentionDays !== null && (reminders || withAlerts);
  const unseen = tellsOfUnseen ? createUnseenJobs({ ...parts, at: remindAt, unseenRetentionDays }) : [];
  return {
    recurring: [...morning, ...unseen] as readonly RecurringJob[],
    start() {
      const failed = (event: LogEvent) => (err: unknown) => log.error({ event, err });
      if (reminders) {
        const remindOfUrgent = createUrgentReminder({ ...parts, ...reminders });
        stops = [runEvery(minuteMs, remindOfUrgent, failed('urgent reminder not sent'))];
      }
      // Also with REMINDERS=off: others are told of refused mails and unread mailboxes too.
      if (withAlerts) stops.push(runEvery(5 * minuteMs, retryAlerts, failed('others not alerted')));
    },
    /** Waits for a reminder that is being sent: sent and not recorded, it would be sent again. */
    async stop() {
      await Promise.all(stops.map((stop) => stop(shutdownGraceMs)));
    },
  };
}

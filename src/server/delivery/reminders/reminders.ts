import { runEvery, type StopRunning } from '../../time/run-every.ts';
import { shutdownGraceMs } from '../mail-transport.ts';
import { createMorningReminder, type MorningReminderParts } from './morning-reminder.ts';
import { createUrgentReminder, type UrgentReminderParts } from './urgent-reminder.ts';

const minuteMs = 60_000;

interface ReminderParts
  extends Omit<MorningReminderParts, 'store' | 'at' | 'retentionDays' | 'unseenRetentionDays'>,
    Omit<UrgentReminderParts, 'store' | 'at' | 'urgentWithinMs'> {
  settings: {
    /** Null: nobody is reminded. */
    reminders: { at: string; urgentWithinMs: number } | null;
    retentionDays: number;
    unseenRetentionDays: number | null;
  };
  store: MorningReminderParts['store'] & UrgentReminderParts['store'];
}

/** Reminds staff of what nobody has answered, and at once of what is urgent and nobody has taken. */
export function createReminders({ settings, ...parts }: ReminderParts) {
  const { reminders, retentionDays, unseenRetentionDays } = settings;
  const { log } = parts;
  let stops: StopRunning[] = [];
  return {
    start() {
      if (!reminders) return;
      const failed = (event: string) => (err: unknown) => log.error({ event, err });
      const remindInTheMorning = createMorningReminder({
        ...parts,
        ...reminders,
        retentionDays,
        unseenRetentionDays,
      });
      const remindOfUrgent = createUrgentReminder({ ...parts, ...reminders });
      stops = [
        runEvery(minuteMs, remindOfUrgent, failed('urgent reminder not sent')),
        runEvery(5 * minuteMs, remindInTheMorning, failed('reminder not sent')),
      ];
    },
    /** Waits for a reminder that is being sent: sent and not recorded, it would be sent again. */
    async stop() {
      await Promise.all(stops.map((stop) => stop(shutdownGraceMs)));
    },
  };
}

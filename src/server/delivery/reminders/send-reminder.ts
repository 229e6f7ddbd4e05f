import type { Mail } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';
import { sendOrShorten } from '../notices/send-or-shorten.ts';

/** 'refused': the same mail would be refused again, also a short one. */
export type ReminderOutcome = 'sent' | 'refused' | 'failed';

export async function sendReminder(
  mail: Mail,
  mailing: Pick<Mailing, 'transport' | 'refusals' | 'log'>,
): Promise<ReminderOutcome> {
  const { log } = mailing;
  const event = mail.urgent ? ('urgent reminder' as const) : 'reminder';
  const outcome = await sendOrShorten(mail, mailing);
  if (!outcome.ok) {
    log.error({ event: `${event} not sent`, reason: outcome.reason });
    return outcome.permanent ? 'refused' : 'failed';
  }
  if (outcome.refused?.length)
    log.error({ event: `${event} refused for some addresses`, count: outcome.refused.length });
  log.info({ event: `${event} sent` });
  return 'sent';
}

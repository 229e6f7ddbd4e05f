import { type Mail, writeMail } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';

/** 'refused': the same mail would be refused again. */
export type ReminderOutcome = 'sent' | 'refused' | 'failed';

export async function sendReminder(
  mail: Mail,
  { transport, log }: Pick<Mailing, 'transport' | 'log'>,
): Promise<ReminderOutcome> {
  const event = mail.urgent ? 'urgent reminder' : 'reminder';
  const outcome = await transport.send(await writeMail(mail));
  if (!outcome.ok) {
    log.error({ event: `${event} not sent`, reason: outcome.reason });
    return outcome.permanent ? 'refused' : 'failed';
  }
  if (outcome.refused)
    log.error({ event: `${event} refused for some of its addresses`, count: outcome.refused });
  log.info({ event: `${event} sent` });
  return 'sent';
}

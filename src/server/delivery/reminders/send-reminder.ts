import { type Mail, writeMail } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';

/** Whether the mail server accepted it for anybody. */
export async function sendReminder(
  mail: Mail,
  { transport, log }: Pick<Mailing, 'transport' | 'log'>,
): Promise<boolean> {
  const event = mail.urgent ? 'urgent reminder' : 'reminder';
  const outcome = await transport.send(await writeMail(mail));
  if (!outcome.ok) {
    log.error({ event: `${event} not sent`, reason: outcome.reason });
    return false;
  }
  if (outcome.refused)
    log.error({ event: `${event} refused for some of its addresses`, count: outcome.refused });
  log.info({ event: `${event} sent` });
  return true;
}

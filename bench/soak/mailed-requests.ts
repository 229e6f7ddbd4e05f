import { requestsHeader } from '../../src/server/delivery/mail.ts';
import type { Taken } from '../../test/support/scripted-smtp.ts';

/** The requests in a mail to staff: from its Message-ID, or for several from the header that lists them. None in an alarm. */
export function requestsIn({ raw }: Taken): string[] {
  const [head = ''] = raw.replace(/\r\n[ \t]+/g, ' ').split('\r\n\r\n');
  const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  const several = header(requestsHeader);
  if (several) return several.split(/[, ]+/);
  return /^<([^@-]{4}-[^@-]{4})@/.exec(header('Message-ID'))?.slice(1) ?? [];
}

import { requestsHeader } from '../../src/server/delivery/mail.ts';
import type { Taken } from '../../test/support/scripted-smtp.ts';

/** The requests in a mail to staff, by its Message-ID or, where they are several, by its list of them. None in an alarm. */
export function requestsIn({ raw }: Taken): string[] {
  const [head = ''] = raw.replace(/\r\n[ \t]+/g, ' ').split('\r\n\r\n');
  const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim() ?? '';
  const several = header(requestsHeader);
  if (several) return several.split(/[, ]+/);
  return /^<([^@-]{4}-[^@-]{4})@/.exec(header('Message-ID'))?.slice(1) ?? [];
}

/** Those that were accepted more than once. One whose receipt was never sent may well come again. */
export function findMailedTwice(accepted: readonly Taken[]): string[] {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const reference of accepted.flatMap(requestsIn)) {
    if (seen.has(reference)) twice.add(reference);
    seen.add(reference);
  }
  return [...twice];
}

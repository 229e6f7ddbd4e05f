import type { Logger } from 'pino';
import type { Site } from '../../../model/site.ts';
import type { DeliveryQueue, Escalation } from '../../store/contract/delivery-queue.ts';
import { nzTime, sayNzTime } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { letterAsHtml } from '../letter/letter-html.ts';
import { letterAsText } from '../letter/letter-text.ts';
import { type MailAddresses, sender } from '../letter/submission-mail.ts';
import { type Mail, writeMail } from '../mail.ts';
import type { MailTransport } from '../mail-transport.ts';

/** How long an urgent request may take to reach staff before somebody else hears of it. */
const afterMs = 10 * 60_000;

export interface EscalationParts {
  queue: Pick<DeliveryQueue, 'claimEscalations' | 'releaseEscalations'>;
  transport: MailTransport;
  site: () => Site;
  addresses: Pick<MailAddresses, 'from'>;
  /** Who is told. Where it is nobody, nothing is looked for. */
  to: readonly string[];
  now: () => Date;
  log: Pick<Logger, 'info' | 'error'>;
}

/** Named in one mail. More than that is a program, or a mail server that has been away for days. */
const mostNamed = 50;

/** Tells somebody else of urgent requests that have not reached staff: once of each, and of all of them in one mail. */
export function createEscalation({ queue, transport, site, addresses, to, now, log }: EscalationParts) {
  return async function escalate(): Promise<void> {
    if (to.length === 0) return;
    const at = now();
    const late = await queue.claimEscalations(at, afterMs);
    if (late.length === 0) return;
    const references = late.map(({ reference }) => reference);
    const write = async () => writeMail(createNotice(late, site(), addresses.from, to, at));
    const outcome = await write()
      .then((mail) => transport.send(mail))
      .catch((error: Error) => ({ ok: false as const, reason: error.name }));
    if (outcome.ok) return log.info({ event: 'escalated', count: late.length });
    log.error({ event: 'not escalated', count: late.length, reason: outcome.reason });
    await queue.releaseEscalations(references);
  };
}

function createNotice(
  late: readonly Escalation[],
  site: Site,
  from: string,
  to: readonly string[],
  at: Date,
): Mail {
  const [first] = late;
  const those = late.length === 1 ? 'An urgent request has' : `${late.length} urgent requests have`;
  const letter: Letter = {
    title: `${those} not reached your team`,
    banners: [
      {
        tone: 'urgent',
        shout: 'URGENT',
        lines: ['Somebody may be unsafe, and waiting for an answer.'],
      },
    ],
    notes: [
      'It came in more than ten minutes ago, and the mail server has not accepted the email to your team yet. Nothing is lost: the website has stored it and keeps trying.',
      'Please tell the person who runs the website now. On its server, ./awhina show REFERENCE shows the request, and ./awhina deliveries says why its email was not delivered.',
    ],
    facts: [
      ...late
        .slice(0, mostNamed)
        .map(({ reference, receivedAt, lastError }): [string, string] => [
          reference,
          `${sayNzTime(receivedAt)}${lastError ? `; ${lastError}` : ''}`,
        ]),
      ...(late.length > mostNamed ? [['And more', `${late.length - mostNamed}`] as [string, string]] : []),
    ],
    answers: [],
  };
  return {
    name: `escalation-${first?.reference ?? ''}-${nzTime(at).replace(/[ :]/g, '-')}`,
    from: sender(site, from),
    to,
    subject: `URGENT [Website] ${letter.title}`,
    urgent: true,
    text: letterAsText(letter),
    html: letterAsHtml(letter),
    date: at,
  };
}

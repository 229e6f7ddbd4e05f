import type { Archive } from '../../store/contract/archive.ts';
import type { DeliveryQueue, Escalation } from '../../store/contract/delivery-queue.ts';
import { sayNzTime } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { isContactRefused } from '../letter/safe-contact.ts';
import type { Mailing } from '../mail-transport.ts';
import { sendNotice } from './send-notice.ts';

/** An urgent request whose mail no mail server has accepted after this long is escalated. */
const escalateAfterMs = 10 * 60_000;
/** References in one mail. More than that is a program, or a mail server that has been away for days. */
const mostNamed = 50;

interface EscalationParts extends Mailing {
  queue: Pick<DeliveryQueue, 'claimEscalations' | 'releaseEscalations'> & Pick<Archive, 'findSubmission'>;
  /** MAIL_TO_ESCALATE. Empty: nothing is escalated. */
  to: readonly string[];
}

/** Mails somebody else about urgent requests that have not reached staff: each request once, all of them in one mail. */
export function createEscalation({ queue, to, ...mailing }: EscalationParts) {
  const { now, log } = mailing;

  /** The references of people who must not be contacted, among those that the mail names. */
  async function findRefused(late: readonly Escalation[]): Promise<Set<string>> {
    const refused = new Set<string>();
    for (const { reference } of late.slice(0, mostNamed)) {
      // Where it cannot be read, the mail goes out all the same: it has no number and no address.
      const submission = await queue.findSubmission(reference).catch(() => null);
      if (submission && isContactRefused(submission)) refused.add(reference);
    }
    return refused;
  }

  return async function escalate(): Promise<void> {
    if (to.length === 0) return;
    const late = await queue.claimEscalations(now(), escalateAfterMs);
    if (late.length === 0) return;
    const name = `escalation-${late[0]?.reference ?? ''}`;
    // Async, so that a letter that cannot be written releases the requests too.
    const send = async () =>
      sendNotice(mailing, { letter: writeLetter(late, await findRefused(late)), name, to, urgent: true });
    const outcome = await send().catch((error: Error) => ({ ok: false as const, reason: error.name }));
    if (outcome.ok) return log.info({ event: 'escalated', count: late.length });
    log.error({ event: 'not escalated', count: late.length, reason: outcome.reason });
    await queue.releaseEscalations(late.map(({ reference }) => reference));
  };
}

function writeLetter(late: readonly Escalation[], refused: ReadonlySet<string>): Letter {
  const subject = late.length === 1 ? 'An urgent request has' : `${late.length} urgent requests have`;
  const facts = late
    .slice(0, mostNamed)
    .map(({ reference, receivedAt, lastError }): [string, string] => [
      reference,
      `${refused.has(reference) ? 'DO NOT CONTACT THIS PERSON. ' : ''}${sayNzTime(receivedAt)}${lastError ? `; ${lastError}` : ''}`,
    ]);
  if (late.length > mostNamed) facts.push(['And more', `${late.length - mostNamed}`]);
  return {
    title: `${subject} not reached your team`,
    banners: [
      {
        tone: 'urgent',
        shout: 'URGENT',
        lines: ['Somebody may be unsafe, and waiting for an answer.'],
      },
      ...(refused.size > 0
        ? [
            {
              tone: 'stop' as const,
              shout: `DO NOT CONTACT THIS PERSON: ${[...refused].join(', ')}`,
              lines: ['They said that they will contact us themselves.'],
            },
          ]
        : []),
    ],
    notes: [
      'It came in more than ten minutes ago, and the mail server has not accepted the email to your team yet. Nothing is lost: the website has stored it and keeps trying.',
      'Please tell the person who runs the website now. On its server, ./awhina show REFERENCE shows the request, and ./awhina deliveries says why its email was not delivered.',
    ],
    facts,
    answers: [],
  };
}

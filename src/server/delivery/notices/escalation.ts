import { retryWrite } from '../../jobs/retry-write.ts';
import type { Archive } from '../../store/contract/archive.ts';
import type { DeliveryQueue, Escalation } from '../../store/contract/delivery-queue.ts';
import { closeGate, type Jobs, passGate } from '../../store/contract/jobs.ts';
import { sayNzTime } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { isContactRefused } from '../letter/safe-contact.ts';
import type { Mailing } from '../mail-transport.ts';
import { sendNotice } from './send-notice.ts';

/** An urgent request whose mail no mail server has accepted after this long is escalated. */
const escalateAfterMs = 10 * 60_000;
/** Six mails an hour, as for urgent reminders. */
const everyMs = 10 * 60_000;
/** A mail that could not be sent, or whose server died meanwhile, is tried again after this. Two SMTP sessions take less. */
const leaseMs = 2 * 60_000;
const gate = { name: 'escalation', everyMs, leaseMs };
/** References in one mail. The next mail names the others. More is a program, or a mail server that has been away for days. */
const mostNamed = 50;

interface EscalationParts extends Mailing {
  queue: Pick<DeliveryQueue, 'listEscalations' | 'recordEscalated'> & Jobs & Pick<Archive, 'findSubmission'>;
  /** MAIL_TO_ESCALATE. Empty: nothing is escalated. */
  to: readonly string[];
}

/**
 * Mails somebody else about urgent requests that have not reached staff, many in one mail. Recorded once the mail was
 * accepted: a server that is killed meanwhile leaves them to the next one.
 */
export function createEscalation({ queue, to, ...mailing }: EscalationParts) {
  const { now, log } = mailing;

  /** The references of people who must not be contacted, among those that the mail names. */
  async function findRefused(late: readonly Escalation[]): Promise<Set<string>> {
    const refused = new Set<string>();
    for (const { reference } of late) {
      // Where it cannot be read, the mail goes out all the same: it has no number and no address.
      const submission = await queue.findSubmission(reference).catch(() => null);
      if (submission && isContactRefused(submission)) refused.add(reference);
    }
    return refused;
  }

  return async function escalate(): Promise<void> {
    if (to.length === 0) return;
    const { late, count } = await queue.listEscalations(now(), escalateAfterMs, mostNamed);
    const passed = late.length > 0 && (await passGate(queue, gate, now()));
    if (!passed) return;
    const name = `escalation-${late[0]?.reference ?? ''}`;
    // Async, so that a letter that cannot be written is logged as such too.
    const send = async () => {
      const letter = writeLetter(late, count, await findRefused(late));
      return sendNotice(mailing, { letter, name, to, urgent: true });
    };
    const outcome = await send().catch((error: Error) => ({
      ...{ ok: false as const, permanent: false, reason: error.name },
    }));
    if (!outcome.ok) log.error({ event: 'not escalated', count, reason: outcome.reason });
    // What was refused for good would be refused again at once.
    if (!outcome.ok && !outcome.permanent) return;
    if (outcome.ok) {
      const references = late.map(({ reference }) => reference);
      await retryWrite(() => queue.recordEscalated(references, now()));
      log.info({ event: 'escalated', count: references.length });
    }
    await retryWrite(() => closeGate(queue, passed, gate, now()));
  };
}

function writeLetter(late: readonly Escalation[], count: number, refused: ReadonlySet<string>): Letter {
  const subject = count === 1 ? 'An urgent request has' : `${count} urgent requests have`;
  const facts = late.map(({ reference, receivedAt, lastError }): [string, string] => [
    reference,
    `${refused.has(reference) ? 'DO NOT CONTACT THIS PERSON. ' : ''}${sayNzTime(receivedAt)}${lastError ? `; ${lastError}` : ''}`,
  ]);
  if (count > late.length) facts.push(['And more', `${count - late.length}`]);
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

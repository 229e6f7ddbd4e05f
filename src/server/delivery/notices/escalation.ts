import { retryWrite } from '../../jobs/retry-write.ts';
import type { Archive } from '../../store/contract/archive.ts';
import { withSubmissions } from '../../store/contract/claimed-submissions.ts';
import { closeGate, type Jobs, passGate } from '../../store/contract/jobs.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { escalateAfterMs, escalateKind } from '../../store/contract/submission-jobs.ts';
import { formatNzTime } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { isContactRefused } from '../letter/safe-contact.ts';
import type { Mailing } from '../mail-transport.ts';
import { sendNotice } from './send-notice.ts';

/** Six mails an hour, as for urgent reminders. */
const everyMs = 10 * 60_000;
/** A mail that could not be sent, or whose server died meanwhile, is tried again after this. Two SMTP sessions take less. */
const leaseMs = 2 * 60_000;
const gate = { name: 'escalation', everyMs, leaseMs };
/** References in one mail. The next mail names the others. More is a program, or a mail server that has been away for days. */
const mostNamed = 50;
const which = { kinds: [escalateKind], longestMs: escalateAfterMs, only: 'unreached' } as const;

interface EscalationParts extends Mailing {
  queue: Jobs & Pick<Archive, 'findSubmissions'>;
  /** MAIL_TO_ESCALATE. Empty: nothing is escalated. */
  to: readonly string[];
}

/**
 * Mails somebody else about urgent requests that have not reached staff, many in one mail. Recorded once the mail was
 * accepted: a server that is killed meanwhile leaves them to the next one.
 */
export function createEscalation({ queue, to, ...mailing }: EscalationParts) {
  const { now, log } = mailing;

  return async function escalate(): Promise<void> {
    if (to.length === 0) return;
    const count = await queue.countJobs(which, now());
    const passed = count > 0 && (await passGate(queue, gate, now()));
    if (!passed) return;
    const claims = await queue.claimJobs({ ...which, limit: mostNamed, leaseMs }, now());
    const named = await withSubmissions(queue, claims);
    if (named.length === 0) return;
    const submissions = named.map(({ submission }) => submission);
    const name = `escalation-${submissions[0]?.reference ?? ''}`;
    // Async, so that a letter that cannot be written is logged as such too.
    const send = async () => {
      const letter = writeLetter(submissions, Math.max(count, named.length));
      return sendNotice(mailing, { letter, name, to, urgent: true });
    };
    const outcome = await send().catch((error: Error) => ({
      ...{ ok: false as const, permanent: false, reason: error.name },
    }));
    if (!outcome.ok) log.error({ event: 'escalation not sent', count, reason: outcome.reason });
    for (const one of named)
      await retryWrite(() => (outcome.ok ? queue.completeJob(one) : queue.releaseJob(one)));
    // They are tried again when the lease of the gate ends. What was refused for good would be refused again at once.
    if (!outcome.ok && !outcome.permanent) return;
    if (outcome.ok) log.info({ event: 'escalation sent', count: named.length });
    await retryWrite(() => closeGate(queue, passed, gate, now()));
  };
}

function writeLetter(late: readonly StoredSubmission[], count: number): Letter {
  const refused = new Set(late.filter(isContactRefused).map(({ reference }) => reference));
  const subject = count === 1 ? 'An urgent request has' : `${count} urgent requests have`;
  const facts = late.map(({ reference, receivedAt, delivery: { lastError } }): [string, string] => [
    reference,
    `${refused.has(reference) ? 'DO NOT CONTACT THIS PERSON. ' : ''}${formatNzTime(receivedAt)}${lastError ? `; ${lastError}` : ''}`,
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
              lines: ['They said that they will contact us themselves, or asked us not to contact them.'],
            },
          ]
        : []),
    ],
    notes: [
      'It came in more than ten minutes ago. The mail server has not accepted the email to your team yet. Nothing is lost: the website has stored it and keeps trying.',
      'Please tell the person who runs the website now. On its server, ./awhina show REFERENCE shows the request. ./awhina deliveries says why its email was not delivered.',
    ],
    facts,
  };
}

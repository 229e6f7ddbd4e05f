import { type FormName, formNames } from '../../../model/form-field.ts';
import { asSentence } from '../../../model/sentence.ts';
import type { Site } from '../../../model/site.ts';
import { retryWrite } from '../../jobs/retry-write.ts';
import type { DeliveryQueue, Undelivered } from '../../store/contract/delivery-queue.ts';
import { closeGate, type Jobs, passGate } from '../../store/contract/jobs.ts';
import type { Letter } from '../letter/letter.ts';
import { formTitle } from '../letter/submission-mail.ts';
import type { MailAddresses } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';
import { describeProblems, hasProblem } from './delivery-problems.ts';
import { sendNotice } from './send-notice.ts';

/** Staff get one notice a day at most, from all servers together. */
const gate = { name: 'notice', everyMs: 24 * 60 * 60_000, leaseMs: 4 * 60_000 };

interface UndeliveredNoticeParts extends Mailing {
  queue: Pick<DeliveryQueue, 'summariseUndelivered'> & Jobs;
}

/** Logs once that mail is not accepted, and why, and mails a notice to a mailbox of staff that still works. */
export function createUndeliveredNotice({ queue, ...mailing }: UndeliveredNoticeParts) {
  const { site, addresses, now, log } = mailing;
  let lastLogged = '';

  function logChange(problem: string): void {
    if (problem === lastLogged) return;
    if (problem) log.error({ event: 'mail of requests not accepted', reason: problem });
    else log.info({ event: 'mail of requests accepted again' });
    lastLogged = problem;
  }

  return async function noticeUndelivered(): Promise<void> {
    const at = now();
    const undelivered = await queue.summariseUndelivered();
    const problems = describeProblems(undelivered, at);
    logChange(problems.join('; '));
    const passed = problems.length > 0 && (await passGate(queue, gate, at));
    if (!passed) return;

    const affected = undelivered.filter((one) => hasProblem(one, at));
    const letter = writeLetter(problems, affected, site());
    const notice = { letter, name: 'notice', subject: 'Requests are not reaching you' };
    for (const to of orderMailboxes(affected, addresses)) {
      if (!(await sendNotice(mailing, { ...notice, to })).ok) continue;
      log.info({ event: 'notice sent', reason: problems.join('; ') });
      await retryWrite(() => closeGate(queue, passed, gate, now()));
      return;
    }
  };
}

/** Mailboxes of forms without a problem come first: they are the likeliest to be read. */
function orderMailboxes(affected: readonly Undelivered[], { to }: MailAddresses): (readonly string[])[] {
  const isAffected = (form: FormName) => affected.some((one) => one.form === form);
  const mailboxes = formNames
    .toSorted((a, b) => Number(isAffected(a)) - Number(isAffected(b)))
    .map((form) => to[form]);
  return [...new Map(mailboxes.map((addresses) => [String(addresses), addresses])).values()];
}

function writeLetter(problems: readonly string[], affected: readonly Undelivered[], site: Site): Letter {
  return {
    title: 'Requests from the website are not reaching you',
    banners: [
      {
        tone: 'urgent',
        shout: 'Somebody may be waiting for your help.',
        lines: problems.map(asSentence),
      },
    ],
    notes: [
      'Nothing is lost. Every request is stored on the website’s server, which keeps trying to send those that wait.',
      'Please ask the person who runs the website to run: ./awhina deliveries. It lists these requests and says why they were not delivered. ./awhina show REFERENCE shows one. Once the problem is fixed, ./awhina deliveries retry --all sends them again.',
    ],
    facts: affected.map(({ form, waiting, parked }) => [
      formTitle(site, form),
      `${waiting} waiting, ${parked} parked`,
    ]),
  };
}

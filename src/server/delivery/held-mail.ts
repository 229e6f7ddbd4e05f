import type { Logger } from 'pino';
import { type FormName, formNames } from '../../model/form-field.ts';
import type { Site } from '../../model/site.ts';
import type { ClaimedDelivery, DeliveryQueue } from '../submissions/delivery-queue.ts';
import type { StoredSubmission } from '../submissions/stored-submission.ts';
import { backoffMs } from './backoff.ts';
import { type Letter, nounFor, writeLetter } from './letter.ts';
import { lettersAsHtml } from './letter-html.ts';
import { letterAsText } from './letter-text.ts';
import { heldName, type Mail, writeMail } from './mail.ts';
import { formTitle, type MailAddresses, sender } from './message.ts';
import type { MailTransport } from './transport.ts';

/** Claimed at a time. Staff can still look through as many, and the lease outlasts writing them all down. */
const most = 200;
const leaseMs = 10 * 60_000;
/** Characters of text. Mail servers take ten times as much and more. */
const mostText = 1_000_000;

export interface HeldMailParts {
  queue: DeliveryQueue;
  transport: MailTransport;
  site: () => Site;
  addresses: MailAddresses;
  now: () => Date;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/**
 * Sends what was held back, all that is due of a form in one mail: more came in without a bot check than people send,
 * and there may be people among them. Nothing is left out and nothing is thrown away.
 */
export function createHeldMail({ queue, transport, site, addresses, now, log }: HeldMailParts) {
  async function sendTogether(form: FormName, claims: ClaimedDelivery[]): Promise<void> {
    const letters = claims.map(({ submission }) => writeLetter(submission, formTitle(site(), form)));
    const count = countFitting(letters);
    // The rest is taken up at the next look.
    for (const claim of claims.slice(count)) await queue.postponeDelivery(claim, now(), 'more than one mail');
    const together = claims.slice(0, count);
    const mail = createHeldLetter(form, together, letters.slice(0, count), site(), addresses, now());
    const outcome = await transport.send(await writeMail(mail));
    const at = now();
    for (const claim of together) {
      if (outcome.ok) await queue.finishDelivery(claim, at);
      // Never parked: it is the mail that was refused, and the next may be of other requests.
      else await queue.postponeDelivery(claim, later(claim, at), outcome.reason);
    }
    const about = { form, count };
    if (outcome.ok) log.info({ event: 'held mail delivered', ...about });
    else log.warn({ event: 'held mail postponed', ...about, reason: outcome.reason });
  }

  return async function sendHeld(): Promise<void> {
    const claims = await queue.claimDueDeliveries(now(), most, leaseMs, 'held');
    for (const form of formNames) {
      const ofForm = claims.filter(({ submission }) => submission.form === form);
      if (ofForm.length > 0) await sendTogether(form, ofForm);
    }
  };
}

/** All of them together, so by no more chance than one has. */
const later = ({ submission }: ClaimedDelivery, at: Date) =>
  new Date(at.getTime() + backoffMs(submission.delivery.attempts, () => 0));

/** At least one, however long. */
function countFitting(letters: readonly Letter[]): number {
  let length = 0;
  const over = letters.findIndex((letter) => {
    length += letterAsText(letter).length;
    return length > mostText;
  });
  return over === -1 ? letters.length : Math.max(1, over);
}

function createHeldLetter(
  form: FormName,
  claims: readonly ClaimedDelivery[],
  letters: readonly Letter[],
  site: Site,
  addresses: MailAddresses,
  date: Date,
): Mail {
  const submissions = claims.map(({ submission }) => submission);
  const noun = nounFor(form);
  const those = submissions.length === 1 ? `1 ${noun}` : `${submissions.length} ${noun}s`;
  const head: Letter = {
    title: `${those} from the ${formTitle(site, form)} form, held back and sent together`,
    warning: [],
    notes: [
      'More came in without a bot check than people send, or a trap for programs was sprung. So that they do not fill your mailbox, they come together in this one mail. There may be people among them: please look through all of them.',
    ],
    facts: [],
    answers: [],
  };
  return {
    name: heldName(submissions[0]?.reference ?? ''),
    from: sender(site, addresses),
    to: addresses.to[form],
    subject: `[${formTitle(site, form)}] ${those} held back`,
    text: [head, ...letters].map(letterAsText).join(`\n${'-'.repeat(64)}\n\n`),
    html: lettersAsHtml([head, ...letters]),
    date,
    attachment: sealedTogether(submissions),
  };
}

/** Each opens by itself, as it stands between its two lines. */
function sealedTogether(submissions: readonly StoredSubmission[]): Mail['attachment'] {
  const sealed = submissions.flatMap(({ reference, answers }) =>
    Array.isArray(answers) ? [] : [`${reference}\n${answers.sealed}`],
  );
  return sealed.length > 0 ? { filename: 'sealed.txt', content: sealed.join('\n') } : undefined;
}

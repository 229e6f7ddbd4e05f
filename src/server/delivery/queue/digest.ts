import type { Logger } from 'pino';
import { type FormName, formNames } from '../../../model/form-field.ts';
import type { Site } from '../../../model/site.ts';
import type { ClaimedDelivery, DeliveryQueue } from '../../store/contract/delivery-queue.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { type Letter, nounFor, writeLetter } from '../letter/letter.ts';
import { lettersAsHtml } from '../letter/letter-html.ts';
import { letterAsText } from '../letter/letter-text.ts';
import { formTitle, hasUrgent, type MailAddresses, markUrgent, sender } from '../letter/submission-mail.ts';
import { digestName, type Mail, writeMail } from '../mail.ts';
import type { MailTransport, SendOutcome } from '../mail-transport.ts';
import { backoffMs } from './backoff.ts';
import { retryWrite } from './retry-write.ts';

/** Claimed at a time. Staff can still look through as many, and the lease outlasts writing them all down. */
const most = 200;
const leaseMs = 10 * 60_000;
/** Characters, of text and of what is sealed. Mail servers take ten times as much and more. */
const mostText = 1_000_000;
/** Mails at a look, however many are refused. Twice what it takes to find the one in two hundred that is. */
const mostMails = 32;

export interface DigestParts {
  queue: DeliveryQueue;
  onDelivered?: ((submission: StoredSubmission, at: Date) => void) | undefined;
  transport: MailTransport;
  site: () => Site;
  addresses: MailAddresses;
  now: () => Date;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/**
 * Sends what was held back, all that is due of a form in one mail: more came in without a bot check than people send,
 * and there may be people among them. Nothing is left out and nothing is thrown away. Requests that sprang the trap come
 * in a mail of their own: whoever marks it as junk marks nobody else's.
 *
 * A mail that is refused comes again in two halves: one program's words, for which a mailbox takes no mail that has
 * them in it, must not keep back the people who wrote in the same ten minutes.
 */
export function createDigest({ queue, onDelivered, transport, site, addresses, now, log }: DigestParts) {
  async function send(form: FormName, claims: readonly ClaimedDelivery[]): Promise<SendOutcome> {
    try {
      return await transport.send(await writeMail(createMail(form, claims, site(), addresses, now())));
    } catch (err) {
      log.error({ event: 'mail not written', form, count: claims.length, err });
      return { ok: false, permanent: true, reason: `${(err as Error).name} at writing` };
    }
  }

  async function sendTogether(form: FormName, claims: ClaimedDelivery[], until: Date): Promise<void> {
    const waiting = [claims.slice(0, countFitting(claims))];
    const rest = claims.slice(waiting[0]?.length);
    for (let mails = 0; mails < mostMails && now() < until; mails++) {
      const together = waiting.shift();
      if (!together) break;
      const outcome = await send(form, together);
      if (!outcome.ok && outcome.permanent && together.length > 1) {
        const half = Math.ceil(together.length / 2);
        waiting.unshift(together.slice(0, half), together.slice(half));
      } else await settle(form, together, outcome);
    }
    // Taken up at the next look.
    for (const claim of [...waiting.flat(), ...rest])
      await queue.postponeDelivery(claim, now(), 'more than one mail');
  }

  async function settle(form: FormName, claims: readonly ClaimedDelivery[], outcome: SendOutcome) {
    const at = now();
    const about = { form, count: claims.length };
    const write = (claim: ClaimedDelivery) => {
      if (outcome.ok) return queue.finishDelivery(claim, at);
      // By itself, so it is this one that is refused: staff hear of it as of any other.
      if (outcome.permanent) return queue.parkDelivery(claim, at, outcome.reason);
      return queue.postponeDelivery(claim, later(claim, at), outcome.reason);
    };
    for (const claim of claims)
      if ((await retryWrite(() => write(claim))) && outcome.ok) onDelivered?.(claim.submission, at);
    if (outcome.ok) return log.info({ event: 'held mail delivered', ...about });
    const event = outcome.permanent ? 'held mail parked' : 'held mail postponed';
    log.warn({ event, ...about, reason: outcome.reason });
  }

  return async function sendDigests(): Promise<void> {
    // What is left by then is given back before the lease ends, and nobody sends it a second time.
    const until = new Date(now().getTime() + leaseMs / 2);
    const claims = await queue.claimDueDeliveries(now(), most, leaseMs, 'held');
    for (const form of formNames) {
      const ofForm = claims.filter(({ submission }) => submission.form === form);
      const { crowd = [], trap = [] } = Object.groupBy(ofForm, ({ submission }) =>
        sprangTrap(submission) ? 'trap' : 'crowd',
      );
      for (const together of [crowd, trap])
        if (together.length > 0) await sendTogether(form, together, until);
    }
  };
}

/** All of them together, so by no more chance than one has. */
const later = ({ submission }: ClaimedDelivery, at: Date) =>
  new Date(at.getTime() + backoffMs(submission.delivery.attempts, () => 0));

const sprangTrap = ({ verdict }: StoredSubmission) =>
  verdict.kind === 'no-script' && verdict.doubts.includes('trap');

/** Why these came together. */
const reasons = {
  crowd: 'More forms came from one internet address without a bot check than people usually send.',
  trap: 'In each of these a hidden field was filled in that people do not see. Programs do that.',
};

/** At least one, however long. */
function countFitting(claims: readonly ClaimedDelivery[]): number {
  let length = 0;
  const over = claims.findIndex(({ submission: { answers } }) => {
    length += Array.isArray(answers) ? JSON.stringify(answers).length : answers.sealed.length;
    return length > mostText;
  });
  return over === -1 ? claims.length : Math.max(1, over);
}

function createMail(
  form: FormName,
  claims: readonly ClaimedDelivery[],
  site: Site,
  addresses: MailAddresses,
  date: Date,
): Mail {
  const submissions = claims
    .map(({ submission }) => submission)
    .toSorted((a, b) => Number(b.delivery.urgent) - Number(a.delivery.urgent));
  const letters = submissions.map((submission) => writeLetter(submission, formTitle(site, form)));
  const noun = nounFor(form);
  const those = submissions.length === 1 ? `1 ${noun}` : `${submissions.length} ${noun}s`;
  const head: Letter = {
    title: `${those} from the ${formTitle(site, form)} form, held back and sent together`,
    banners: [],
    notes: [
      `${submissions.every(sprangTrap) ? reasons.trap : reasons.crowd} So that they do not fill your mailbox, they come together in this one mail. There may be people among them: please read all of them. A reply to this email reaches none of them.`,
    ],
    facts: [],
    answers: [],
  };
  return {
    name: digestName(submissions[0]?.reference ?? ''),
    from: sender(site, addresses.from),
    to: addresses.to[form],
    subject: `${markUrgent(submissions)}[${formTitle(site, form)}] ${those} held back`,
    urgent: hasUrgent(submissions),
    text: [head, ...letters].map((letter) => letterAsText(letter)).join(`\n${'-'.repeat(64)}\n\n`),
    html: lettersAsHtml([head, ...letters]),
    date,
    requests: submissions.map(({ reference }) => reference),
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

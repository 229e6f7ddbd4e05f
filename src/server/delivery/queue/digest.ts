import { type FormName, formNames } from '../../../model/form-field.ts';
import { retryWrite } from '../../jobs/retry-write.ts';
import type { ClaimedSubmission } from '../../store/contract/claimed-submissions.ts';
import type { DeliveryQueue } from '../../store/contract/delivery-queue.ts';
import { claimMail, type MailStore, parkMail, postponeMail } from '../../store/contract/mail-jobs.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import type { Letter } from '../letter/letter.ts';
import { mailFrom, siteSender } from '../letter/mail-from.ts';
import { linkToStaffPage } from '../letter/staff-link.ts';
import { nouns, writeLetter } from '../letter/submission-letter.ts';
import { formTitle } from '../letter/submission-mail.ts';
import { digestName, type Mail, writeMail } from '../mail.ts';
import type { Mailing, SendOutcome } from '../mail-transport.ts';
import { backoffMs } from './retry.ts';

/** Requests claimed at a time: as many as staff can read, and as can be recorded before the lease ends. */
const mostClaimed = 200;
const leaseMs = 10 * 60_000;
/** Characters in one digest, sealed answers included. Mail servers accept ten times as much and more. */
const mostText = 1_000_000;
/** Mails of one run. Twice what halving takes to find the one request of 200 for which mails are refused. */
const mostMails = 32;

interface DigestParts extends Mailing {
  queue: MailStore & Pick<DeliveryQueue, 'finishDelivery'>;
  onDelivered?: ((submission: StoredSubmission, at: Date) => void) | undefined;
}

/**
 * Sends the requests that were held back, all that are due of a form in one mail: more came in without a bot check than
 * people send, and there may be people among them. Every request is sent. Requests with a filled trap field come in a
 * digest of their own: staff who mark that digest as junk mark nobody else's.
 *
 * A digest that is refused is split into halves and sent again: a mailbox that refuses one program's words must not
 * delay the people who wrote in the same ten minutes.
 */
export function createDigest(parts: DigestParts) {
  const { transport, queue, onDelivered, now, log } = parts;

  async function send(form: FormName, claims: readonly ClaimedSubmission[]): Promise<SendOutcome> {
    try {
      return await transport.send(await writeMail(createDigestMail(form, claims, parts)));
    } catch (err) {
      log.error({ event: 'mail not written', form, count: claims.length, err });
      return { ok: false, permanent: true, reason: `${(err as Error).name} at writing` };
    }
  }

  async function sendTogether(form: FormName, claims: ClaimedSubmission[], stopAt: Date): Promise<void> {
    const batches = [claims.slice(0, countFitting(claims))];
    const rest = claims.slice(batches[0]?.length);
    for (let mails = 0; mails < mostMails && now() < stopAt; mails++) {
      const batch = batches.shift();
      if (!batch) break;
      const outcome = await send(form, batch);
      if (!outcome.ok && outcome.permanent && batch.length > 1) {
        const half = Math.ceil(batch.length / 2);
        batches.unshift(batch.slice(0, half), batch.slice(half));
      } else await settle(form, batch, outcome);
    }
    // The next run claims the rest.
    for (const claim of [...batches.flat(), ...rest])
      await postponeMail(queue, claim, now(), 'more than one mail');
  }

  async function settle(form: FormName, claims: readonly ClaimedSubmission[], outcome: SendOutcome) {
    const at = now();
    const about = { form, count: claims.length };
    const write = (claim: ClaimedSubmission) => {
      if (outcome.ok) return queue.finishDelivery(claim, at);
      // Only a digest of one request gets here: a larger one is split before.
      if (outcome.permanent) return parkMail(queue, claim, at, outcome.reason);
      return postponeMail(queue, claim, retryAt(claim, at), outcome.reason);
    };
    for (const claim of claims)
      if ((await retryWrite(() => write(claim))) && outcome.ok) onDelivered?.(claim.submission, at);
    if (outcome.ok) return log.info({ event: 'held mail accepted', ...about });
    const event = outcome.permanent ? 'digest parked' : 'digest postponed';
    log.warn({ event, ...about, reason: outcome.reason });
  }

  return async function sendDigests(): Promise<void> {
    // At half of the lease the rest is released, so that no other server sends it a second time.
    const stopAt = new Date(now().getTime() + leaseMs / 2);
    const claims = await claimMail(queue, now(), mostClaimed, leaseMs, 'held');
    for (const form of formNames) {
      const ofForm = claims.filter(({ submission }) => submission.form === form);
      const { crowd = [], trap = [] } = Object.groupBy(ofForm, ({ submission }) =>
        sprangTrap(submission) ? 'trap' : 'crowd',
      );
      for (const together of [crowd, trap])
        if (together.length > 0) await sendTogether(form, together, stopAt);
    }
  };
}

/** No jitter: the requests of a digest stay together. */
const retryAt = ({ submission }: ClaimedSubmission, at: Date) =>
  new Date(at.getTime() + backoffMs(submission.delivery.attempts, () => 0));

const sprangTrap = ({ verdict }: StoredSubmission) =>
  verdict.kind === 'no-script' && verdict.doubts.includes('trap');

/** Why requests are held back. */
const reasons = {
  crowd: 'More forms came from one internet address without a bot check than people usually send.',
  trap: 'In each of these a hidden field was filled in that people do not see. Programs do that.',
};

/** How many fit into one digest. One always does, however long. */
function countFitting(claims: readonly ClaimedSubmission[]): number {
  let length = 0;
  const over = claims.findIndex(({ submission: { answers } }) => {
    length += Array.isArray(answers) ? JSON.stringify(answers).length : answers.sealed.length;
    return length > mostText;
  });
  return over === -1 ? claims.length : Math.max(1, over);
}

function createDigestMail(
  form: FormName,
  claims: readonly ClaimedSubmission[],
  { site: currentSite, addresses, staffLink, now }: Pick<Mailing, 'site' | 'addresses' | 'staffLink' | 'now'>,
): Mail {
  const site = currentSite();
  const submissions = claims
    .map(({ submission }) => submission)
    .toSorted((a, b) => Number(b.delivery.urgent) - Number(a.delivery.urgent));
  const title = formTitle(site, form);
  const letters = submissions.map((submission) => ({
    ...writeLetter(submission, title),
    link: linkToStaffPage(submission, staffLink),
  }));
  const count = `${submissions.length} ${nouns[form]}${submissions.length === 1 ? '' : 's'}`;
  const head: Letter = {
    title: `${count} from the ${title} form, held back and sent together`,
    notes: [
      `${submissions.every(sprangTrap) ? reasons.trap : reasons.crowd} They come together in this one mail, so that they do not fill your mailbox. There may be people among them: please read all of them. A reply to this email reaches none of them.`,
    ],
  };
  return mailFrom([head, ...letters], {
    name: digestName(submissions[0]?.reference ?? ''),
    from: siteSender(site, addresses.from),
    to: addresses.to[form],
    subject: `[${title}] ${count} held back`,
    urgent: submissions.some(({ delivery }) => delivery.urgent),
    date: now(),
    requests: submissions.map(({ reference }) => reference),
    attachment: sealedTogether(submissions),
  });
}

/** Each sealed block can be opened by itself. */
function sealedTogether(submissions: readonly StoredSubmission[]): Mail['attachment'] {
  const sealed = submissions.flatMap(({ reference, answers }) =>
    Array.isArray(answers) ? [] : [`${reference}\n${answers.sealed}`],
  );
  return sealed.length > 0 ? { filename: 'sealed.txt', content: sealed.join('\n') } : undefined;
}

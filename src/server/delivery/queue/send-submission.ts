import type { StoredSubmission } from '../../store/contract/submission.ts';
import { mayEmail } from '../letter/safe-contact.ts';
import { createSubmissionMail } from '../letter/submission-mail.ts';
import { createLinkMail } from '../letter/thread-mail.ts';
import { type Mail, writeMail } from '../mail.ts';
import type { Mailing, MailTransport, SendOutcome } from '../mail-transport.ts';
import type { ThreadMail, ThreadMails } from './thread-mails.ts';

interface SendParts extends Omit<Mailing, 'log'> {
  /** The canary's own mailbox, CANARY_TO. */
  canaryTo?: string | undefined;
  threadMails?: Pick<ThreadMails, 'add'> | undefined;
}

/** Mails one submission to staff. The canary is written the same way, and never goes to staff. */
export function createSendSubmission(parts: SendParts) {
  const { transport, site, addresses, staffLink, canaryTo, threadMails, refusals, now } = parts;
  return async function send(submission: StoredSubmission): Promise<SendOutcome> {
    const mail = createSubmissionMail(submission, site(), addresses, now(), staffLink);
    if (!submission.canary) {
      const outcome = await transport.send(await writeMail(mail));
      if (outcome.ok) refusals?.recordAccepted(mail, outcome.refused);
      if (outcome.ok && staffLink && mayEmail(submission))
        threadMails?.add(linkMailOf(submission, mail.replyTo !== undefined));
      return outcome;
    }
    // The canary's mail is written even where it is not sent: a letter that cannot be written is found before a person's is.
    const canary = await writeMail(addressCanary(mail, canaryTo ?? addresses.from));
    if (canaryTo !== undefined) return transport.send(canary);
    return probeOnly(transport, addresses.to[submission.form]);
  };

  // Without the answers, because it may wait in memory for long.
  function linkMailOf({ reference, form, delivery }: StoredSubmission, invitesReply: boolean): ThreadMail {
    const compose = (date: Date) => createLinkMail({ reference, form, delivery }, invitesReply, parts, date);
    return { kind: 'link', reference, compose };
  }
}

function addressCanary(mail: Mail, to: string): Mail {
  return { ...mail, to: [to], replyTo: undefined, subject: `[Website] Daily test, for nobody: ${mail.name}` };
}

/** Whether the mail server would accept a mail to staff. No mail is sent. */
async function probeOnly(transport: MailTransport, to: readonly string[]): Promise<SendOutcome> {
  if (!transport.probe) return { ok: false, permanent: false, reason: 'no mail server' };
  const { problem } = await transport.probe(to);
  return problem === null ? { ok: true } : { ok: false, permanent: false, reason: problem };
}

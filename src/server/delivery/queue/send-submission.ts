import type { Site } from '../../../model/site.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { createSubmissionMail, type MailAddresses } from '../letter/submission-mail.ts';
import { type Mail, writeMail } from '../mail.ts';
import type { MailTransport, SendOutcome } from '../mail-transport.ts';

export interface SendParts {
  transport: MailTransport;
  site: () => Site;
  addresses: MailAddresses;
  /** The mailbox of its own that the site's test goes to. */
  canaryTo?: string | undefined;
  now: () => Date;
}

/** Takes one submission to staff. The site's own test goes the same way, and never to them. */
export function createSend({ transport, site, addresses, canaryTo, now }: SendParts) {
  return async function send(submission: StoredSubmission): Promise<SendOutcome> {
    const mail = createSubmissionMail(submission, site(), addresses, now());
    if (!submission.canary) return transport.send(await writeMail(mail));
    if (canaryTo !== undefined) return transport.send(await writeMail(addressCanary(mail, canaryTo)));
    // Written all the same: a letter that cannot be is found before a person's.
    await writeMail(addressCanary(mail, addresses.from));
    return probeOnly(transport, addresses.to[submission.form]);
  };
}

/** As staff would get it, but for whom it is to and what it says it is. */
function addressCanary(mail: Mail, to: string): Mail {
  return { ...mail, to: [to], replyTo: undefined, subject: `[Website] Daily test, for nobody: ${mail.name}` };
}

/** Whether the mail server would take a mail to staff. None is sent. */
async function probeOnly(transport: MailTransport, to: readonly string[]): Promise<SendOutcome> {
  if (!transport.probe) return { ok: false, permanent: false, reason: 'no mail server' };
  const { problem } = await transport.probe(to);
  return problem === null ? { ok: true } : { ok: false, permanent: false, reason: problem };
}

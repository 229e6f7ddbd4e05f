import { mailFrom } from '../../server/delivery/letter/mail-from.ts';
import { type Mail, type WrittenMail, writeMail } from '../../server/delivery/mail.ts';
import type { MailProbe, MailStep, MailTransport } from '../../server/delivery/mail-transport.ts';
import { formatNzTime } from '../../server/time/nz-time.ts';
import { adviseOn } from './mail-advice.ts';

interface ProbeReport {
  /** Whether the mail server accepted a mail for every recipient. */
  ok: boolean;
  steps: ProbedStep[];
  recipients: (ProbedStep & { address: string })[];
  certificateUntil: Date | null;
}

interface ProbedStep {
  step: MailStep['step'];
  /** Null where an earlier step failed. */
  ok: boolean | null;
  /** A code and a step where the step failed. */
  detail: string;
  todo: string | null;
}

const stepNames = ['name', 'connection', 'tls', 'sign-in', 'sender'] as const;

interface ProbeParts {
  transport: Required<MailTransport>;
  recipients: readonly string[];
  write: (to: string) => Promise<WrittenMail>;
}

/** Probes every step, and then sends a test mail to each recipient that the mail server accepts. */
export async function probeMail({ transport, recipients, write }: ProbeParts): Promise<ProbeReport> {
  const found = await transport.probe(recipients);
  const steps = stepNames.map((step) =>
    toProbed(
      step,
      found.steps.find((one) => one.step === step),
    ),
  );
  const asked = found.steps.filter(({ step }) => step === 'recipient');
  const sent = await Promise.all(
    recipients.map(async (address, n) => {
      const step = toProbed('recipient', asked[n]);
      return { address, ...(step.ok ? await send(transport, await write(address)) : step) };
    }),
  );
  const ok = [...steps, ...sent].every((one) => one.ok);
  return { ok, steps, recipients: sent, certificateUntil: found.certificateUntil };
}

function toProbed(step: MailStep['step'], found: MailProbe['steps'][number] | undefined): ProbedStep {
  if (!found) return { step, ok: null, detail: '', todo: null };
  const { ok, detail } = found;
  return { step, ok, detail, todo: ok ? null : adviseOn(step, detail) };
}

async function send(transport: MailTransport, mail: WrittenMail): Promise<ProbedStep> {
  const outcome = await transport.send(mail);
  const step = 'recipient' as const;
  if (outcome.ok) return { step, ok: true, detail: '', todo: null };
  return { step, ok: false, detail: outcome.reason, todo: adviseOn(step, outcome.reason) };
}

const sentence = 'This is a test from the website. Nobody needs to do anything.';

/** @param url the address of the page on which somebody says that it arrived */
export function writeTestMail(from: Mail['from'], to: string, at: Date, url?: string): Promise<WrittenMail> {
  const letter = {
    title: 'A test from the website',
    notes: [
      url
        ? 'This is a test from the website. Please press “Yes, it arrived”: then the person who sent it knows that you have it.'
        : sentence,
      'The person who runs the website sent it to check that requests reach this mailbox. If it arrived as junk, please tell them.',
    ],
    facts: [['Sent', `${formatNzTime(at)} (New Zealand time)`]] as [string, string][],
    link: url ? { label: 'Yes, it arrived', url } : undefined,
  };
  const mail = mailFrom(letter, {
    // Unique to the millisecond: a mailbox shows only one of two mails with the same ID.
    name: `test-${to.replace(/[^a-z0-9]+/gi, '-')}-${at.getTime()}`,
    from,
    to: [to],
    subject: `[Website] Test: ${url ? 'did it arrive?' : 'nobody needs to do anything'}`,
    date: at,
  });
  return writeMail(mail);
}

export const describeBounces = (bouncesTo: string): string =>
  `Reports of mail that could not be delivered go to ${bouncesTo} (MAIL_BOUNCES_TO, otherwise MAIL_FROM). Somebody must read that mailbox.`;

const labels = {
  name: 'Name',
  connection: 'Connection',
  tls: 'Encryption',
  'sign-in': 'Sign-in',
  sender: 'Sender',
  recipient: 'Mailbox',
};

/** One line for each step, with what to do where the step failed. */
export function describeProbe(
  { steps, recipients, certificateUntil }: ProbeReport,
  { host, port, from }: { host: string; port: number; from: string },
): { ok: boolean | null; line: string; todo: string | null }[] {
  const until = certificateUntil ? `, certificate valid until ${formatNzTime(certificateUntil)}` : '';
  const well: Record<MailStep['step'], (detail: string) => string> = {
    name: () => `${host} can be found`,
    connection: () => `it answers at port ${port}`,
    tls: (detail) => `${detail}${until}`,
    'sign-in': (detail) => detail || 'user and password are accepted',
    sender: () => `${from} may send`,
    recipient: () => 'the mail server accepted the test',
  };
  const subjects: Partial<Record<MailStep['step'], string>> = {
    name: host,
    connection: `port ${port}`,
    sender: from,
  };
  const describe = ({ step, ok, detail, todo }: ProbedStep, about: string | undefined) => {
    const said = ok ? well[step](detail) : ok === null ? 'not tried' : detail;
    const subject = about && !(ok && step !== 'recipient') ? `${about}: ` : '';
    return { ok, line: `${labels[step].padEnd(12)}${subject}${said}`, todo };
  };
  return [
    ...steps.map((step) => describe(step, subjects[step.step])),
    ...recipients.map(({ address, ...step }) => describe(step, address)),
  ];
}

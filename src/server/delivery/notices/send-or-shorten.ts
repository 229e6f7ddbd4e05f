import type { Letter } from '../letter/letter.ts';
import { mailFrom } from '../letter/mail-from.ts';
import { type Mail, writeMail } from '../mail.ts';
import type { Mailing, SendOutcome } from '../mail-transport.ts';

const reference = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/g;

/**
 * Sends a mail of the website's own, a reminder or a notice. A mail server may refuse one for good that it would take in
 * other words, such as a filter that dislikes forty links: then staff get the same again shorter, without a link. If that
 * is refused too, somebody else is told.
 */
export async function sendOrShorten(
  mail: Mail,
  { transport, refusals, log }: Pick<Mailing, 'transport' | 'refusals' | 'log'>,
): Promise<SendOutcome> {
  const whole = await transport.send(await writeMail(mail));
  const isRefused = !whole.ok && whole.permanent;
  if (isRefused) log.error({ event: 'mail refused, sent without links', reason: whole.reason });
  const outcome = isRefused ? await transport.send(await writeMail(shorten(mail))) : whole;
  if (outcome.ok) refusals?.recordAccepted(mail, outcome.refused);
  else if (outcome.permanent) await refusals?.recordRefused(mail, outcome.reason);
  return outcome;
}

/** The references that a mail names, and what to do about them. */
function shorten({ name, from, to, subject, urgent = false, date, text }: Mail): Mail {
  const title = subject.replace(/^URGENT (?=\[Website\])/, '');
  const head = { name: `${name}-short`, from, to, subject: title, urgent, date };
  return mailFrom(writeLetter(title.replace('[Website] ', ''), findReferences(text)), head);
}

export const findReferences = (text: string): string[] => [...new Set(text.match(reference))];

const writeLetter = (title: string, references: readonly string[]): Letter => ({
  title,
  notes: [
    'Your mail server refused the whole email about this, so this one has no links.',
    ...(references.length > 0
      ? [
          `Search the mailbox of your team for: ${references.join(', ')}`,
          'Read each before you contact anybody. It says whether, when and how that is safe.',
        ]
      : []),
    'Please tell the person who runs the website. On its server, ./awhina list --open lists what nobody has answered. ./awhina deliveries lists what has not reached you. ./awhina show REFERENCE shows one of them.',
  ],
});

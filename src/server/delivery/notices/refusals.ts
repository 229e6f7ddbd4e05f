import type { Mail } from '../mail.ts';
import type { Refusals } from '../mail-transport.ts';
import { findReferences } from './send-or-shorten.ts';
import type { ForOthers, TellOthers } from './tell-others.ts';

/** The Monday letter comes once a week: an address from which nothing was refused since has no problem any more. */
const lastsMs = 8 * 24 * 3_600_000;

/** What a mail server refuses for good of the website's reminders and notices. Each server remembers what it was told. */
export function createRefusals(now: () => Date) {
  /** By address. A mail that is accepted at an address ends the problem there, that of a request too. */
  const refused = new Map<string, { reason: string; isTold: boolean; at: Date }>();
  const recordAccepted = ({ to }: Mail, rejected: readonly string[] = []) => {
    for (const address of to) if (!rejected.includes(address)) refused.delete(address);
  };
  const record = (to: readonly string[], reason: string, isTold: boolean) => {
    for (const address of to) refused.set(address, { reason, isTold, at: now() });
  };
  const findLasting = () =>
    new Map([...refused].filter(([, { at }]) => now().getTime() - at.getTime() < lastsMs));

  return {
    /** For mails to others: nobody is left to be told. */
    silent: {
      recordAccepted,
      recordRefused: async ({ to }, reason) => record(to, reason, true),
    } satisfies Refusals,

    /** @param escalateTo MAIL_TO_ESCALATE, whose people are told also if the mail was for them too */
    telling: (tellOthers: TellOthers, escalateTo: readonly string[]): Refusals => ({
      recordAccepted,
      async recordRefused(mail, reason) {
        const own = mail.to.filter((address) => !escalateTo.includes(address));
        const to = own.length > 0 ? own : mail.to;
        const known = findLasting();
        const isKnown = to.every((address) => known.get(address)?.isTold);
        // Before anybody is told, so that two mails that are refused at once are one problem.
        record(to, reason, true);
        if (isKnown) return;
        // Otherwise at the next refusal.
        if (!(await tellOthers({ forms: [], to }, writeNotice(mail, to, reason)))) record(to, reason, false);
      },
    }),

    /** For /health/deliveries. Names no address, because a monitor reads these words. */
    findProblem(): string | null {
      const [last] = [...findLasting().values()].slice(-1);
      return last
        ? `the mail server refuses reminders and notices to staff, also short ones without links: ${last.reason}`
        : null;
    },
  };
}

function writeNotice(
  { subject, text, urgent = false }: Mail,
  to: readonly string[],
  reason: string,
): ForOthers {
  const references = findReferences(text);
  return {
    name: `refused-${to[0]?.replace(/[^a-z0-9]+/gi, '-')}`,
    urgent,
    letter: {
      title: 'The mail server refuses reminders of the website',
      banners: [
        {
          tone: 'caution',
          shout: `${to.join(' and ')} cannot be reminded of what waits.`,
          lines: [`The mail server refuses the website’s emails there, also without links: ${reason}.`],
        },
      ],
      facts: [],
      answers: [],
      notes: [
        `The email was: ${subject}`,
        ...(references.length > 0 ? [`It named ${references.join(', ')}.`] : []),
        'Please call the people there now, and tell them. Then tell the person who runs the website. On its server, ./awhina test-mail shows what the mail server says, and ./awhina list --open lists what nobody has answered.',
      ],
    },
    sentence: 'The mail server refuses reminders of the website to staff',
  };
}

import type { Mail } from '../mail.ts';
import type { Refusals } from '../mail-transport.ts';
import { findReferences } from './send-or-shorten.ts';
import type { ForOthers, TellOthers } from './tell-others.ts';

/** The Monday letter comes once a week: an address from which nothing was refused since has no problem any more. */
const lastsMs = 8 * 24 * 3_600_000;

/** Others hear of an address once in this time. A request may be accepted there, and the mail after it refused, all day. */
const quietMs = 24 * 3_600_000;
/** Settings may write one address in two ways. */
const keyOf = (address: string) => address.toLowerCase();

/** What a mail server refuses for good of the website's reminders and notices. Each server remembers what it was told. */
export function createRefusals(now: () => Date) {
  /** By address. A mail that is accepted at an address ends the problem there, that of a request too. */
  const refused = new Map<string, { reason: string; isTold: boolean; at: Date }>();
  /** By address: when others were last told. */
  const toldAt = new Map<string, Date>();
  // A clock that is set back silences nobody for longer.
  const isWithin = (ms: number, at: Date) => Math.abs(now().getTime() - at.getTime()) < ms;
  const wasTold = (key: string) => {
    const last = toldAt.get(key);
    return last !== undefined && isWithin(quietMs, last);
  };
  const recordAccepted = ({ to }: Mail, rejected: readonly string[] = []) => {
    const kept = new Set(rejected.map(keyOf));
    for (const key of to.map(keyOf)) if (!kept.has(key)) refused.delete(key);
  };
  const record = (to: readonly string[], reason: string, isTold: boolean) => {
    for (const key of to.map(keyOf)) refused.set(key, { reason, isTold, at: now() });
  };
  const findLasting = () => new Map([...refused].filter(([, { at }]) => isWithin(lastsMs, at)));

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
        const escalated = new Set(escalateTo.map(keyOf));
        const own = mail.to.filter((address) => !escalated.has(keyOf(address)));
        const to = own.length > 0 ? own : mail.to;
        const keys = to.map(keyOf);
        const known = findLasting();
        const isTold = (key: string) => known.get(key)?.isTold === true;
        const isKnown = keys.every((key) => isTold(key) || wasTold(key));
        // Before anybody is told, so that two mails that are refused at once are one problem. What the quiet time alone
        // silences stays untold, so that the first refusal after that time tells others.
        for (const key of keys) record([key], reason, !isKnown || isTold(key));
        if (isKnown) return;
        for (const key of keys) toldAt.set(key, now());
        if (await tellOthers({ forms: [], to }, writeNotice(mail, to, reason))) return;
        // At the next refusal.
        record(to, reason, false);
        for (const key of keys) toldAt.delete(key);
      },
    }),

    /** For /health/deliveries. Names no address, because a monitor reads these words. */
    findProblem(): string | null {
      const [last] = [...findLasting().values()].slice(-1);
      return last
        ? `the mail server refuses some emails to staff, also short ones without links: ${last.reason}`
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
    name: `refused-${to[0]?.toLowerCase().replace(/[^a-z0-9]+/gi, '-')}`,
    urgent,
    letter: {
      title: 'The mail server refuses some emails of the website',
      banners: [
        {
          tone: 'caution',
          shout: `The mail server refuses some emails to ${to.join(' and ')}.`,
          lines: [
            `It refused one with links and without: ${reason}.`,
            'The people there may not hear of a request, or be reminded of it.',
          ],
        },
      ],
      notes: [
        `The email was: ${subject}`,
        ...(references.length > 0 ? [`It named ${references.join(', ')}.`] : []),
        'Please call the people there now, and tell them. Then tell the person who runs the website. On its server, ./awhina test-mail shows what the mail server says. ./awhina list --open lists what nobody has answered.',
      ],
    },
    sentence: 'The mail server refuses some emails of the website to staff',
  };
}

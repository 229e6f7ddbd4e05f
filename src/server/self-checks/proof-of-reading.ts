import { asSentence } from '../../model/sentence.ts';
import { serverForms } from '../../model/server-forms.ts';
import type { Site } from '../../model/site.ts';
import type { MailAddresses } from '../delivery/mail.ts';
import type { TellOthers } from '../delivery/notices/tell-others.ts';
import { findMailboxes, firstForm, type Mailbox } from '../delivery/reminders/mailboxes.ts';
import { retryWrite } from '../jobs/retry-write.ts';
import type { Settings } from '../settings/settings.ts';
import type { Archive } from '../store/contract/archive.ts';
import { closeGate, type Jobs, latestPlausible, passGate } from '../store/contract/jobs.ts';
import { mailboxSign, type Times } from '../store/contract/times.ts';
import type { CheckClock } from '../time/clock-trust.ts';
import { formatNzDay } from '../time/nz-time.ts';
import type { Timer } from '../time/run-every.ts';
import { countWorkingDays } from '../time/working-days.ts';

/** Working days without a press. Two Monday letters come in that time. */
const silentDays = 10;
const pollMs = 5 * 60_000;
const weekMs = 7 * 24 * 3_600_000;
/** Telling the others is tried again after this, where it failed. */
const leaseMs = 15 * 60_000;
/** When somebody last looked at the signs. */
const lastLook = 'mailbox signs read';

export interface ProofParts {
  settings: Pick<Settings, 'publicUrl' | 'weeklyLetter'> & { mail: { smtpUrl?: string | undefined } };
  store: Times & Jobs & Pick<Archive, 'findTimes'>;
  site: () => Site;
  addresses: MailAddresses;
  tellOthers: TellOthers;
  checkClock: CheckClock;
  now: () => Date;
}

interface SilentMailbox extends Mailbox {
  since: Date;
}

/** Why nobody can show that the mailboxes are read; null where somebody can. */
export function explainNoProof({ publicUrl, weeklyLetter, mail }: ProofParts['settings']): string | null {
  if (!mail.smtpUrl) return 'SMTP_URL is not set';
  if (!publicUrl) return 'PUBLIC_URL is not set';
  return weeklyLetter ? null : 'WEEKLY_LETTER is off';
}

/**
 * Notices a mailbox of which nobody has shown for ten working days that a person reads it. A mail server accepts mail for it
 * all the same. The others are told once, and then once a week: a mail a day would soon be filtered too.
 */
export function createProofOfReading(parts: ProofParts) {
  const { settings, store, site, addresses, tellOthers, checkClock, now } = parts;
  const isActive = explainNoProof(settings) === null;

  /** When it was last shown for one of the forms whose mail goes there. */
  async function findLastSign({ forms }: Mailbox): Promise<Date | null> {
    const signs = await Promise.all(forms.map((form) => store.findTime(mailboxSign(form))));
    // A time in the future was written by a clock that was wrong.
    const real = signs.filter((sign) => sign !== null && sign <= latestPlausible(now()));
    return real.reduce((one, other) => (one && other && one > other ? one : other), null);
  }

  async function findSilent(): Promise<SilentMailbox[]> {
    if (!isActive || checkClock(await store.findTimes()) !== null) return [];
    const found: SilentMailbox[] = [];
    for (const mailbox of findMailboxes(addresses)) {
      const since = await findLastSign(mailbox);
      if (since && countWorkingDays(since, now(), site().closed) >= silentDays)
        found.push({ ...mailbox, since });
    }
    return found;
  }

  /** Days are counted from the first look, and anew after a week without one: nobody could press meanwhile. */
  async function startCounting(): Promise<void> {
    const looked = await store.findTime(lastLook);
    const isNew = !looked || Math.abs(now().getTime() - looked.getTime()) > weekMs;
    for (const mailbox of findMailboxes(addresses))
      if (isNew || !(await findLastSign(mailbox)))
        await store.recordTime(mailboxSign(firstForm(mailbox)), now());
    await store.recordTime(lastLook, now());
  }

  async function tellOfSilent(): Promise<void> {
    if (checkClock(await store.findTimes()) !== null) return;
    await startCounting();
    for (const mailbox of await findSilent()) {
      const gate = { name: `${mailboxSign(firstForm(mailbox))} silent`, everyMs: weekMs, leaseMs };
      const passed = await passGate(store, gate, now());
      if (!passed) continue;
      const notice = writeNotice(mailbox);
      const isSame = (one: Mailbox) => firstForm(one) === firstForm(mailbox);
      const describeAgain = async () => ((await findSilent()).some(isSame) ? notice.sentence : null);
      if (await tellOthers(mailbox, { ...notice, describeAgain }))
        await retryWrite(() => closeGate(store, passed, gate, now()));
    }
  }

  const timer: Timer = {
    everyMs: pollMs,
    run: tellOfSilent,
    failed: 'reader signs not read',
    isAwaited: true,
  };
  return {
    tellOfSilent,
    timers: isActive ? [timer] : [],
    /** For the details of /health/deliveries. They have addresses of the trust. */
    async findProblems(): Promise<string[]> {
      // Where the database cannot be read, others say so.
      return (await findSilent().catch(() => [])).map(describe);
    },
  };
}

const describe = ({ since, to }: SilentMailbox) =>
  `nobody has shown since ${formatNzDay(since)} that ${to.join(', ')} is read`;

const mailOf = ({ forms }: Mailbox) =>
  forms
    .map((form) => (forms.length > 1 ? `${serverForms[form].noun}s` : serverForms[form].plural))
    .join(' and ');

function writeNotice(mailbox: SilentMailbox) {
  const what = mailOf(mailbox);
  const since = formatNzDay(mailbox.since);
  return {
    letter: {
      title: `Does anybody read the mailbox for ${what}?`,
      banners: [
        {
          tone: 'caution' as const,
          shout: 'Please find out today',
          lines: [
            asSentence(describe(mailbox)),
            `The ${what} that people send through the website go there. The mail server accepts them, and that is all the website knows.`,
          ],
        },
      ],
      notes: [
        'Ask the person who reads that mailbox, or open it yourself. If the mail from the website is there, also look whether anybody waits for an answer.',
        'Then press “I have read this letter” in the newest letter of a Monday there, or a button on the page of any request. If no mail is there, tell the person who runs the website: a filter may take it away.',
        'This comes once a week until somebody has pressed.',
      ],
    },
    name: `unread-${firstForm(mailbox)}`,
    sentence: `Nobody has shown since ${since} that the website’s mailbox for ${what} is read.`,
  };
}

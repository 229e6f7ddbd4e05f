import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { escapeHtml } from '../../model/escape-html.ts';
import type { Site } from '../../model/site.ts';
import { letterAsHtml } from '../delivery/letter/letter-html.ts';
import { letterAsText } from '../delivery/letter/letter-text.ts';
import { type MailAddresses, sender } from '../delivery/letter/submission-mail.ts';
import { type Mail, writeMail } from '../delivery/mail.ts';
import type { MailTransport } from '../delivery/mail-transport.ts';
import type { Settings } from '../settings/settings.ts';
import type { Archive } from '../store/contract/archive.ts';
import type { ChoreBook } from '../store/contract/leases.ts';
import type { ClockTrust } from '../time/clock-trust.ts';
import { nzTime } from '../time/nz-time.ts';
import { runEvery } from '../time/run-every.ts';
import { lastLetterTime } from './week.ts';
import { plotAsHtml, plotAsText } from './week-plot.ts';
import { readWeeklyState, type WeeklySources, type WeeklyState } from './weekly-state.ts';
import { closing, findNeeds, writeSubject, writeWeeklyLetter } from './weekly-words.ts';

const chore = 'weekly letter';
const lookEveryMs = 5 * 60_000;
/** One that could not be sent, or whose server died over it, is tried again after this. */
const leaseMs = 30 * 60_000;
/** One that is being sent when the server closes gets this long, as any mail does. */
const stopMs = 6_000;

export interface WeeklyLetterParts extends Omit<WeeklySources, 'store' | 'dataDir' | 'contentDir'> {
  settings: Pick<Settings, 'weeklyLetter' | 'dataDir' | 'contentDir'> & {
    mail: { smtpUrl?: string | undefined };
  };
  store: WeeklySources['store'] & ChoreBook & Pick<Archive, 'findTimes'>;
  transport: MailTransport;
  site: () => Site;
  addresses: MailAddresses;
  doubtClock: ClockTrust['doubt'];
  now: () => Date;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

export interface WeeklyLetter {
  start(): void;
  stop(): Promise<void>;
  /** Sends it where it is due, and nobody else has. */
  sendIfDue(): Promise<void>;
}

/**
 * Tells staff every Monday how the week went, and first what needs a hand. In a folder that nobody may look into it would
 * be no news, so it is written only where there is a mail server.
 */
export function createWeeklyLetter({ settings, ...parts }: WeeklyLetterParts): WeeklyLetter {
  const { store, transport, site, addresses, doubtClock, now, log } = parts;
  const {
    dataDir,
    contentDir,
    weeklyLetter,
    mail: { smtpUrl },
  } = settings;
  let stopLooking = async () => {};

  async function sendIfDue(): Promise<void> {
    const at = now();
    const due = lastLetterTime(at);
    // By a clock that cannot be right it would tell of a week that has not been, and be missing in one that has.
    if (doubtClock(await store.findTimes()) !== null) return;
    if (!(await store.claimChore(chore, due, at, leaseMs))) return;
    const state = await readWeeklyState({ ...parts, dataDir, contentDir }, due, at);
    const outcome = await transport.send(await writeMail(createMail(state, due, site(), addresses)));
    if (!outcome.ok) return log.error({ event: 'weekly letter not sent', reason: outcome.reason });
    await store.finishChore(chore, due);
    if (outcome.refused)
      log.error({ event: 'weekly letter refused for some of its addresses', count: outcome.refused });
    log.info({ event: 'weekly letter sent' });
  }

  return {
    sendIfDue,
    start() {
      if (!weeklyLetter || !smtpUrl) return;
      const failed = (err: unknown) => log.error({ event: 'weekly letter not sent', err });
      stopLooking = runEvery(lookEveryMs, sendIfDue, failed);
    },
    // One that was sent and not written down would be sent again.
    stop: () => Promise.race([stopLooking(), setTimeout(stopMs, undefined, { ref: false })]),
  };
}

const closingStyle =
  'margin:28px 0 0;padding:16px 0 0;border-top:1px solid #d5dce3;font-size:14px;color:#52606d';

/** To everybody once, in one mail: a mail server takes it for all of them or is asked again. */
export function createMail(state: WeeklyState, due: Date, site: Site, addresses: MailAddresses): Mail {
  const needs = findNeeds(state);
  const letter = writeWeeklyLetter(state, needs);
  const below = `${plotAsHtml(state.weeks)}\n<p style="${closingStyle}">${escapeHtml(closing)}</p>`;
  return {
    name: `weekly-${nzTime(due).slice(0, 10)}`,
    from: sender(site, addresses.from),
    to: [...new Set(Object.values(addresses.to).flat())],
    subject: writeSubject(state, needs),
    text: letterAsText(letter, [plotAsText(state.weeks), closing]),
    html: letterAsHtml(letter, below),
    date: state.at,
  };
}

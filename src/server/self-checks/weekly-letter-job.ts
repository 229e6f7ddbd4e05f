import { escapeHtml } from '../../model/escape-html.ts';
import type { Site } from '../../model/site.ts';
import { mailFrom, siteSender } from '../delivery/letter/mail-from.ts';
import type { Mail } from '../delivery/mail.ts';
import { type Mailing, shutdownGraceMs } from '../delivery/mail-transport.ts';
import { sendOrShorten } from '../delivery/notices/send-or-shorten.ts';
import { findMailboxes, firstForm, type Mailbox } from '../delivery/reminders/mailboxes.ts';
import type { Settings } from '../settings/settings.ts';
import type { Archive } from '../store/contract/archive.ts';
import type { Leases } from '../store/contract/leases.ts';
import type { CheckClock } from '../time/clock-trust.ts';
import { nzDay } from '../time/nz-time.ts';
import { runEvery, type StopRunning } from '../time/run-every.ts';
import { lastLetterTime } from './calendar-week.ts';
import { chartAsHtml, chartAsText } from './weekly-letter-chart.ts';
import {
  readWeeklyLetterData,
  type WeeklyLetterData,
  type WeeklyLetterSources,
} from './weekly-letter-data.ts';
import { closing, findNeeds, pressHint, writeSubject, writeWeeklyLetter } from './weekly-letter-wording.ts';

const pollMs = 5 * 60_000;
/** A letter that could not be sent, or whose server died meanwhile, is tried again after this. */
const leaseMs = 30 * 60_000;
/** A letter that was refused for good is tried once a day all the same, by each server: a block is lifted. */
const refusedMs = 24 * 60 * 60_000;

export interface WeeklyLetterParts
  extends Mailing,
    Omit<WeeklyLetterSources, 'store' | 'dataDir' | 'contentDir' | 'reminders'> {
  settings: Pick<Settings, 'weeklyLetter' | 'dataDir' | 'contentDir' | 'reminders'> & {
    mail: { smtpUrl?: string | undefined };
  };
  store: WeeklyLetterSources['store'] & Leases & Pick<Archive, 'findTimes'>;
  checkClock: CheckClock;
}

/**
 * Tells staff every Monday how the week went, problems first. The letter is sent only where there is a mail server:
 * in a folder that nobody may open it would tell nobody.
 */
export function createWeeklyLetter({ settings, ...parts }: WeeklyLetterParts) {
  const { store, site, addresses, letterLink, checkClock, now, log } = parts;
  const { dataDir, contentDir, reminders } = settings;
  /** When each mailbox last refused a letter for good. */
  const refusedAt = new Map<string, number>();
  let stopPolling: StopRunning = async () => {};

  /** Sends the letter to each mailbox for which it is due, if no other server has sent it there. */
  async function sendIfDue(): Promise<void> {
    const at = now();
    const due = lastLetterTime(at);
    // By a clock that is wrong the letter would tell of a week in the future, and the right week would get none.
    if (checkClock(await store.findTimes()) !== null) return;
    for (const mailbox of findMailboxes(addresses)) {
      const job = { name: `weekly letter ${firstForm(mailbox)}`, due, leaseMs };
      const refused = refusedAt.get(firstForm(mailbox));
      if (refused !== undefined && Math.abs(at.getTime() - refused) < refusedMs) continue;
      if (!(await store.claimLease(job, now()))) continue;
      if (await send(mailbox, due)) await store.finishLease(job, now());
    }
  }

  async function send(mailbox: Mailbox, due: Date): Promise<boolean> {
    const data = await readWeeklyLetterData({ ...parts, dataDir, contentDir, reminders }, due, now());
    const mail = createWeeklyMail(data, due, site(), { from: addresses.from, mailbox, letterLink });
    const outcome = await sendOrShorten(mail, parts);
    if (!outcome.ok) {
      log.error({ event: 'weekly letter not sent', reason: outcome.reason });
      if (outcome.permanent) refusedAt.set(firstForm(mailbox), now().getTime());
      return false;
    }
    if (outcome.refused?.length)
      log.error({ event: 'weekly letter refused for some of its addresses', count: outcome.refused.length });
    log.info({ event: 'weekly letter sent' });
    return true;
  }

  return {
    sendIfDue,
    start() {
      if (!settings.weeklyLetter || !settings.mail.smtpUrl) return;
      const failed = (err: unknown) => log.error({ event: 'weekly letter not sent', err });
      stopPolling = runEvery(pollMs, sendIfDue, failed);
    },
    stop: () => stopPolling(shutdownGraceMs),
  };
}

const closingStyle =
  'margin:28px 0 0;padding:16px 0 0;border-top:1px solid #d5dce3;font-size:14px;color:#52606d';

interface WeeklyMailParts {
  from: string;
  mailbox: Mailbox;
  letterLink?: Mailing['letterLink'];
}

/** A mail of its own for each mailbox, because its link is. The mail server accepts it for all addresses, or it is tried again. */
export function createWeeklyMail(
  data: WeeklyLetterData,
  due: Date,
  site: Site,
  { from, mailbox, letterLink }: WeeklyMailParts,
): Mail {
  const needs = findNeeds(data);
  const day = nzDay(due);
  const form = firstForm(mailbox);
  const link = letterLink && { label: 'I have read this letter', url: letterLink({ day, form }) };
  const end = link ? [closing, pressHint] : [closing];
  return mailFrom(
    { ...writeWeeklyLetter(data, needs), link },
    {
      name: `weekly-${form}-${day}`,
      from: siteSender(site, from),
      to: mailbox.to,
      subject: writeSubject(data, needs),
      date: data.at,
      below: {
        text: [chartAsText(data.weeks), ...end],
        html: `${chartAsHtml(data.weeks)}\n<p style="${closingStyle}">${end.map(escapeHtml).join('<br><br>')}</p>`,
      },
    },
  );
}

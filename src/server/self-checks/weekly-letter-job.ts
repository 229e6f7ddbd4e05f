import { escapeHtml } from '../../model/escape-html.ts';
import type { Site } from '../../model/site.ts';
import { mailFrom, siteSender } from '../delivery/letter/mail-from.ts';
import type { Mail, MailAddresses } from '../delivery/mail.ts';
import { type Mailing, shutdownGraceMs } from '../delivery/mail-transport.ts';
import { sendOrShorten } from '../delivery/notices/send-or-shorten.ts';
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
import { closing, findNeeds, writeSubject, writeWeeklyLetter } from './weekly-letter-wording.ts';

const pollMs = 5 * 60_000;
/** A letter that could not be sent, or whose server died meanwhile, is tried again after this. */
const leaseMs = 30 * 60_000;

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
  const { store, site, addresses, checkClock, now, log } = parts;
  const { dataDir, contentDir, reminders } = settings;
  let stopPolling: StopRunning = async () => {};

  /** Sends the letter where it is due and no other server has sent it. */
  async function sendIfDue(): Promise<void> {
    const at = now();
    const due = lastLetterTime(at);
    // By a clock that is wrong the letter would tell of a week in the future, and the right week would get none.
    if (checkClock(await store.findTimes()) !== null) return;
    const job = { name: 'weekly letter', due, leaseMs };
    if (!(await store.claimLease(job, at))) return;
    const data = await readWeeklyLetterData({ ...parts, dataDir, contentDir, reminders }, due, at);
    const outcome = await sendOrShorten(createWeeklyMail(data, due, site(), addresses), parts);
    if (!outcome.ok) return log.error({ event: 'weekly letter not sent', reason: outcome.reason });
    await store.finishLease(job, now());
    if (outcome.refused)
      log.error({ event: 'weekly letter refused for some of its addresses', count: outcome.refused });
    log.info({ event: 'weekly letter sent' });
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

/** One mail to everybody: the mail server accepts it for all of them, or the mail is tried again. */
export function createWeeklyMail(
  data: WeeklyLetterData,
  due: Date,
  site: Site,
  addresses: MailAddresses,
): Mail {
  const needs = findNeeds(data);
  return mailFrom(writeWeeklyLetter(data, needs), {
    name: `weekly-${nzDay(due)}`,
    from: siteSender(site, addresses.from),
    to: [...new Set(Object.values(addresses.to).flat())],
    subject: writeSubject(data, needs),
    date: data.at,
    below: {
      text: [chartAsText(data.weeks), closing],
      html: `${chartAsHtml(data.weeks)}\n<p style="${closingStyle}">${escapeHtml(closing)}</p>`,
    },
  });
}

import { escapeHtml } from '../../model/escape-html.ts';
import type { Site } from '../../model/site.ts';
import { mailFrom, siteSender } from '../delivery/letter/mail-from.ts';
import type { Mail } from '../delivery/mail.ts';
import type { Mailing } from '../delivery/mail-transport.ts';
import { sendRegular } from '../delivery/notices/send-notice.ts';
import { findMailboxes, firstForm, type Mailbox } from '../delivery/reminders/mailboxes.ts';
import type { Outcome, RecurringJob } from '../jobs/recurring-jobs.ts';
import type { Settings } from '../settings/settings.ts';
import { nzDay } from '../time/nz-time.ts';
import { lastLetterTime, nextLetterTime } from './calendar-week.ts';
import { chartAsHtml, chartAsText } from './weekly-letter-chart.ts';
import {
  readWeeklyLetterData,
  type WeeklyLetterData,
  type WeeklyLetterSources,
} from './weekly-letter-data.ts';
import { closing, findNeeds, pressHint, writeSubject, writeWeeklyLetter } from './weekly-letter-wording.ts';

/** A letter that was refused for good is tried once a day all the same: a block is lifted. */
const refusedMs = 24 * 60 * 60_000;

export interface WeeklyLetterParts
  extends Mailing,
    Omit<WeeklyLetterSources, 'store' | 'dataDir' | 'contentDir' | 'reminders'> {
  settings: Pick<Settings, 'weeklyLetter' | 'dataDir' | 'contentDir' | 'reminders'> & {
    mail: { smtpUrl?: string | undefined };
  };
  store: WeeklyLetterSources['store'];
}

/**
 * Tells staff every Monday how the week went, problems first. The letter is sent only if there is a mail server:
 * in a folder that nobody may open it would tell nobody.
 */
export function createWeeklyLetters({ settings, ...parts }: WeeklyLetterParts): RecurringJob[] {
  const { site, addresses, letterLink, now } = parts;
  const { dataDir, contentDir, reminders } = settings;

  async function send(mailbox: Mailbox, due: Date): Promise<Outcome> {
    const data = await readWeeklyLetterData({ ...parts, dataDir, contentDir, reminders }, due, now());
    const mail = createWeeklyMail(data, due, site(), { from: addresses.from, mailbox, letterLink });
    const outcome = await sendRegular('weekly letter', mail, parts);
    if (outcome === 'refused') return { dueAt: new Date(now().getTime() + refusedMs) };
    return outcome === 'sent' ? 'done' : 'again';
  }

  if (!settings.weeklyLetter || !settings.mail.smtpUrl) return [];
  return findMailboxes(addresses).map((mailbox) => ({
    key: `letter:${firstForm(mailbox)}`,
    failed: 'weekly letter not sent',
    last: lastLetterTime,
    next: nextLetterTime,
    run: (due) => send(mailbox, due),
  }));
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

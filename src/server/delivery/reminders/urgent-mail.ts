import type { ReminderReaders } from '../../store/contract/submission-jobs.ts';
import { formatNzTime } from '../../time/nz-time.ts';
import { nouns } from '../letter/submission-letter.ts';
import type { Mail } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';
import { createNoticeMail } from '../notices/send-notice.ts';
import { listOpen } from './open-item.ts';
import { mostNamed } from './open-list.ts';
import { clockWasWrong } from './open-words.ts';
import { formatNumber, type UrgentReminder } from './urgent-pace.ts';

/** Tells them of urgent submissions that nobody has taken. */
export function createUrgentMail(
  reminders: readonly UrgentReminder[],
  /** How many there are with those that one mail does not name. */
  count: number,
  { to, readers }: { to: readonly string[]; readers: ReminderReaders },
  {
    at,
    inFolder,
    ...mailing
  }: Omit<Mailing, 'transport' | 'log'> & {
    at: string;
    inFolder?: ReadonlySet<string>;
  },
): Mail {
  const { site, staffLink, now } = mailing;
  const date = now();
  const [first] = reminders;
  const more = count - reminders.length;
  const list = {
    named: reminders.slice(0, mostNamed).map((reminder) => ({
      submission: reminder.submission,
      wait: formatWait(reminder.submission.receivedAt, date),
      last: formatNumber(reminder, date, at),
    })),
    bare: reminders.slice(mostNamed).map(({ submission: { reference, delivery } }) => ({
      reference,
      urgent: true,
      deliveredAt: delivery.deliveredAt,
    })),
    rest:
      more > 0
        ? [`And ${more} more. ./awhina list --open --limit ${count} shows all of them, on the server.`]
        : [],
    closing: [describeHowToStop(staffLink !== undefined)],
  };
  const noun = nouns[first?.submission.form ?? 'help'];
  const title =
    count === 1
      ? `Nobody has taken ${noun} ${first?.submission.reference}`
      : `Nobody has taken ${count} urgent requests`;
  const lines = [
    'Somebody may be unsafe, and waiting for an answer.',
    'Please see that somebody reads it now. Search your team’s mailbox, and its spam folder, for the reference.',
  ];
  return createNoticeMail(mailing, {
    letter: { title, banners: [{ tone: 'urgent', shout: 'URGENT', lines }] },
    // The same again where it is sent twice: the server may die before it has recorded that it was sent.
    name: `urgent-${first?.submission.reference}-${(first?.before ?? 0) + 1}${readers === 'others' ? '-others' : ''}`,
    to,
    urgent: true,
    below: listOpen(list, { site: site(), staffLink, inFolder }),
  });
}

const formatWait = (receivedAt: Date, now: Date) =>
  receivedAt > now
    ? `${clockWasWrong}.`
    : `Came in on ${formatNzTime(receivedAt)}, ${formatAge(now.getTime() - receivedAt.getTime())} ago.`;

function formatAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

const describeHowToStop = (hasLink: boolean) =>
  hasLink
    ? 'The reminders stop once somebody opens the link and presses “I’ll take this”.'
    : 'The reminders stop once the person who runs the website types, on the server: ./awhina taken REFERENCE --by YOUR-INITIALS';

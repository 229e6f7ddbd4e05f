import type { Site } from '../../../model/site.ts';
import type { UrgentReminder } from '../../store/contract/follow-ups.ts';
import { sayNzTime } from '../../time/nz-time.ts';
import { mailFrom, siteSender } from '../letter/mail-from.ts';
import { nouns } from '../letter/submission-letter.ts';
import type { Mail } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';
import { describeOpen } from './open-item.ts';
import { mostNamed, openListAsHtml, openListAsText } from './open-list.ts';

/** Of each urgent submission that nobody takes staff are reminded this often. */
export const mostReminders = 12;

/** Tells staff, and the people of MAIL_TO_ESCALATE, of urgent submissions that nobody has taken. */
export function createUrgentMail(
  reminders: readonly UrgentReminder[],
  to: readonly string[],
  site: Site,
  { addresses, staffLink, now }: Pick<Mailing, 'addresses' | 'staffLink' | 'now'>,
): Mail {
  const date = now();
  const [first] = reminders;
  const more = reminders.length - mostNamed;
  const list = {
    items: reminders.slice(0, mostNamed).map(({ submission, before }) => {
      const item = describeOpen(submission, sayWait(submission.receivedAt, date), { site, staffLink });
      const isLast = before + 1 >= mostReminders;
      return isLast ? { ...item, warning: last } : { ...item, lines: [...item.lines, sayNumber(before + 1)] };
    }),
    rest:
      more > 0
        ? [`And ${more} more, in the next mail. ./awhina list --open shows all of them, on the server.`]
        : [],
    closing: [sayHowToStop(staffLink !== undefined)],
  };
  const noun = nouns[first?.submission.form ?? 'help'];
  const title =
    reminders.length === 1
      ? `Nobody has taken urgent ${noun} ${first?.submission.reference}`
      : `Nobody has taken ${reminders.length} urgent requests`;
  return mailFrom(
    {
      title,
      banners: [
        {
          tone: 'urgent',
          shout: 'URGENT',
          lines: [
            'Somebody may be unsafe, and waiting for an answer.',
            'Please see that somebody reads it now: it is in your team’s mailbox, under its reference.',
          ],
        },
      ],
      facts: [],
      answers: [],
      notes: [],
    },
    {
      // The same again where it is sent twice: the server may die before it has recorded that it was sent.
      name: `urgent-${first?.submission.reference}-${(first?.before ?? 0) + 1}`,
      from: siteSender(site, addresses.from),
      to,
      subject: `[Website] ${title}`,
      urgent: true,
      date,
      below: { text: openListAsText(list), html: openListAsHtml(list) },
    },
  );
}

const sayWait = (receivedAt: Date, now: Date) =>
  `Came in on ${sayNzTime(receivedAt)}, ${sayAge(now.getTime() - receivedAt.getTime())} ago.`;

function sayAge(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

const sayNumber = (number: number) =>
  `This is reminder ${number} of ${mostReminders}. The next one comes in two hours.`;
const last = 'THIS IS THE LAST REMINDER. After it only the list on working mornings names this request.';

const sayHowToStop = (hasLink: boolean) =>
  hasLink
    ? 'The reminders end once somebody opens the link and presses “I am on it”.'
    : 'The reminders end once the person who runs the website types, on the server: ./awhina taken REFERENCE --by YOUR-INITIALS';

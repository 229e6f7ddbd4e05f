import { type FormName, formNames } from '../../../model/form-field.ts';
import type { Site } from '../../../model/site.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { nzDay, sayDay } from '../../time/nz-time.ts';
import { addWorkingDays, countWorkingDays, nextWorkingTime } from '../../time/working-days.ts';
import type { Letter } from '../letter/letter.ts';
import { mailFrom, siteSender } from '../letter/mail-from.ts';
import type { Mail } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';
import { describeOpen, type OpenItem } from './open-item.ts';
import { mostNamed, openListAsHtml, openListAsText } from './open-list.ts';
import { sayOpenCounts } from './open-words.ts';

const dayMs = 24 * 60 * 60_000;
/** Staff hear of what is about to be erased at least this long before. */
const eraseNoticeMs = 3 * dayMs;

export interface MorningRules {
  /** REMIND_AT. */
  at: string;
  /** In working days. */
  remindAfter: Record<FormName, number>;
  retentionDays: number;
}

interface Morning {
  site: Site;
  rules: MorningRules;
  /** When this reminder was due, and the one before. */
  due: Date;
  before: Date;
  now: Date;
}

interface Named {
  submission: StoredSubmission;
  workingDays: number;
  /** Set where it is erased so soon that staff must hear of it now. */
  erasedAt: Date | null;
}

/** What this morning's reminder is about, in the given order. */
export function findOverdue(open: readonly StoredSubmission[], morning: Morning): Named[] {
  const { site, rules, before, now, due } = morning;
  const { closed } = site;
  const nextDue = nextWorkingTime(due, rules.at, closed);
  return open.flatMap((submission) => {
    const { form, receivedAt, delivery, followUp } = submission;
    const erasedAt = delivery.deliveredAt
      ? new Date(delivery.deliveredAt.getTime() + rules.retentionDays * dayMs)
      : null;
    // The next reminder would come too late, also because a weekend or a holiday lies between.
    const isErasedSoon = erasedAt !== null && erasedAt.getTime() - eraseNoticeMs < nextDue.getTime();
    const isLate = addWorkingDays(receivedAt, rules.remindAfter[form], closed) <= now;
    // A colleague has only just begun with it.
    const isJustTaken = followUp.takenAt !== null && followUp.takenAt >= before;
    if (!isErasedSoon && (!isLate || isJustTaken)) return [];
    const workingDays = countWorkingDays(receivedAt, now, closed);
    return [{ submission, workingDays, erasedAt: isErasedSoon ? erasedAt : null }];
  });
}

/** As many as one mail can name, in the same order. What is erased soon is among them, also behind many urgent ones. */
function chooseNamed(overdue: readonly Named[]): Named[] {
  const [erased, others] = [true, false].map((soon) =>
    overdue.filter((one) => (one.erasedAt !== null) === soon),
  );
  const chosen = new Set([...(erased ?? []), ...(others ?? [])].slice(0, mostNamed));
  return overdue.filter((one) => chosen.has(one));
}

/** Null where there is nothing to remind of. */
export function createMorningMail(
  open: readonly StoredSubmission[],
  head: Pick<Mail, 'name' | 'to'>,
  morning: Morning,
  { addresses, staffLink }: Pick<Mailing, 'addresses' | 'staffLink'>,
): Mail | null {
  const { site, now } = morning;
  const overdue = findOverdue(open, morning);
  if (overdue.length === 0) return null;
  const items = chooseNamed(overdue).map((one) =>
    withErasing(describeOpen(one.submission, sayWait(one), { site, staffLink }), one),
  );
  const list = { items, rest: sayRest(overdue), closing: sayClosing(staffLink !== undefined) };
  const letter = writeLetter(overdue);
  return mailFrom(letter, {
    ...head,
    from: siteSender(site, addresses.from),
    subject: `[Website] ${letter.title}`,
    date: now,
    below: { text: openListAsText(list), html: openListAsHtml(list) },
  });
}

function writeLetter(overdue: readonly Named[]): Letter {
  const erased = overdue.filter(({ erasedAt }) => erasedAt !== null);
  return {
    title: `${sayCounts(overdue)} for an answer`,
    banners:
      erased.length === 0
        ? []
        : [
            {
              tone: 'caution',
              shout: `${erased.length === overdue.length ? 'All' : erased.length} of these will be erased soon.`,
              lines: ['After that nobody can answer. Below it says which, and on which day.'],
            },
          ],
    facts: [],
    answers: [],
    notes: [],
  };
}

/** '3 requests and 1 message wait'. */
function sayCounts(overdue: readonly Named[]): string {
  const counts = sayOpenCounts(
    Object.fromEntries(
      formNames.map((form) => [form, overdue.filter(({ submission }) => submission.form === form).length]),
    ),
  );
  return `${counts} ${overdue.length === 1 ? 'waits' : 'wait'}`;
}

const sayDays = (count: number) => (count === 1 ? '1 working day' : `${count} working days`);

function sayWait({ submission: { receivedAt }, workingDays }: Named): string {
  const since = `Waiting since ${sayDay(nzDay(receivedAt))}`;
  return workingDays === 0 ? `${since}.` : `${since}, ${sayDays(workingDays)}.`;
}

const withErasing = (item: OpenItem, { erasedAt }: Named): OpenItem =>
  erasedAt ? { ...item, warning: `Will be erased on ${sayDay(nzDay(erasedAt))}.` } : item;

/** How many are not named, and how long all of them have waited. */
function sayRest(overdue: readonly Named[]): string[] {
  if (overdue.length <= mostNamed) return [];
  const within = (from: number, to: number) =>
    overdue.filter(({ workingDays }) => workingDays >= from && workingDays <= to).length;
  const ages = [
    [within(0, 1), 'a day or less'],
    [within(2, 5), '2 to 5 days'],
    [within(6, 20), '6 to 20 days'],
    [within(21, Number.POSITIVE_INFINITY), 'more than 20 days'],
  ].filter(([count]) => count !== 0);
  return [
    `And ${overdue.length - mostNamed} more. ./awhina list --open shows all of them, on the server.`,
    `Of all ${overdue.length}, in working days: ${ages.map(([count, age]) => `${count} wait ${age}`).join(', ')}.`,
  ];
}

const sayClosing = (hasLink: boolean): string[] => [
  'Each of them is in your mailbox: search for its reference.',
  hasLink
    ? 'To take one off this list, open its link and press “It is answered”. “I am on it” takes it off for a day and tells your colleagues.'
    : 'To take one off this list, the person who runs the website types, on the server: ./awhina answered REFERENCE --by YOUR-INITIALS',
  'This mail comes on working days, only while something waits longer than promised. The setting REMINDERS=off stops it.',
];

import { asSentence } from '../../model/sentence.ts';
import { nameLanguage } from '../delivery/letter/format-language.ts';
import type { Letter } from '../delivery/letter/letter.ts';
import { describeOpen } from '../delivery/reminders/open-words.ts';
import { formatNzDay } from '../time/nz-time.ts';
import { formatWeek } from './calendar-week.ts';
import { certificateWarning } from './certificate.ts';
import { countAll, formatCount, formatCounts } from './weekly-letter-chart.ts';
import type { WeeklyLetterData } from './weekly-letter-data.ts';

/**
 * A form that is broken without anybody noticing looks like this: no requests, where there were some before. Three empty
 * weeks are a sign where five requests came before them. One empty week is a sign only where each of the three weeks before
 * had five: a trust with few requests has an empty week now and then, and must not learn to ignore this letter.
 */
const quiet = { weeks: 3, before: 5 };
/** Characters. A phone shows no more. */
const subjectLength = 80;

const subjectPrefix = '[Website]';

/** What somebody must act on, the worst first. */
export function findNeeds({ health, certificate, weeks, at }: WeeklyLetterData): string[] {
  const expiry = certificateWarning(certificate, at);
  const empty = countQuiet(weeks.map(countAll));
  return [
    ...health.problems,
    ...(expiry ? [`${expiry}. After that no email is sent`] : []),
    ...(empty > 0
      ? [
          `nothing has come in for ${empty === 1 ? 'a week' : `${empty} weeks`}, which is unusual. Please send a message yourself, and check that it reaches you`,
        ]
      : []),
    // The certificate is named once.
    ...health.warnings.filter((warning) => warning !== expiry),
  ];
}

/** The number of empty weeks up to the last, or 0 where they are no sign of a broken form. */
function countQuiet(counts: readonly number[]): number {
  const last = counts.findLastIndex((count) => count > 0);
  const [busy, empty] = [counts.slice(0, last + 1), counts.length - 1 - last];
  const before = busy.slice(-quiet.weeks);
  const isSign =
    empty >= quiet.weeks
      ? busy.reduce((sum, count) => sum + count, 0) >= quiet.before
      : before.length === quiet.weeks && before.every((count) => count >= quiet.before);
  return isSign ? empty : 0;
}

export function writeSubject(data: WeeklyLetterData, needs: readonly string[]): string {
  const [first, ...more] = needs;
  if (first === undefined) return `${subjectPrefix} All well this week: ${describeReceived(data, ', ')}`;
  const rest = more.length > 0 ? ` (and ${more.length} more)` : '';
  return `${subjectPrefix} Needs attention: ${shorten(first.replace(/\s+/g, ' '), subjectLength - rest.length)}${rest}`;
}

export function writeWeeklyLetter(data: WeeklyLetterData, needs: readonly string[]): Letter {
  const week = data.weeks.at(-1);
  const isGrave = data.health.problems.length > 0;
  return {
    title: `The website from ${week ? formatWeek(week, 'long') : ''}`,
    banners: [
      needs.length === 0
        ? { tone: 'well', shout: 'All well', lines: [asSentence(describeHowItWent(data))] }
        : {
            tone: isGrave ? 'urgent' : 'caution',
            shout: 'This needs attention',
            lines: [
              ...needs.map((need) => `• ${asSentence(need)}`),
              ...(needs.every((need) => data.health.forStaff.includes(need)) ? [] : [showToOperator]),
            ],
          },
    ],
    facts: listFacts(data, needs.length > 0),
  };
}

const showToOperator = 'Please show this letter to the person who runs the website.';

export const closing =
  'This letter comes every Monday at eight. If it does not come, something may be wrong: please tell the person who runs the website. The setting WEEKLY_LETTER=off stops this letter.';

export const pressHint =
  'Press “I have read this letter” once a week, so that the website knows that somebody reads this mailbox.';

function listFacts(data: WeeklyLetterData, withWeek: boolean): [string, string][] {
  const { languages, open, space, contentDate, certificate, canaryAt } = data;
  // A language alone can be a name: small numbers are hidden as in the report.
  const inLanguages = languages
    .map(({ tag, count }) => `${count < 5 ? 'fewer than 5' : count} in ${nameLanguage(tag)}`)
    .join('; ');
  const facts: [string, string | null][] = [
    ['The week', withWeek ? describeHowItWent(data) : null],
    ['Waiting for an answer', open && (describeOpen(open) ?? 'nothing')],
    ['Pages in other languages', inLanguages === '' ? null : inLanguages],
    ['The website’s daily test', canaryAt && `worked on ${formatNzDay(canaryAt)}`],
    ['Certificate of the mail server', certificate && `valid until ${formatNzDay(certificate.until)}`],
    ['Disk', space && space.size > 0 ? `${Math.round((1 - space.free / space.size) * 100)} % full` : null],
    ['Words and pictures', contentDate && `as of ${formatNzDay(contentDate)}`],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

function describeReceived({ weeks }: WeeklyLetterData, and: string): string {
  const week = weeks.at(-1);
  return week && countAll(week) > 0 ? formatCounts(week, and) : 'nothing came in';
}

/** '14 requests and 9 messages. None waits for your mail server. The slowest was accepted after 40 seconds'. */
function describeHowItWent(data: WeeklyLetterData): string {
  const { slowestSeconds, undelivered } = data;
  const received = describeReceived(data, ' and ');
  const waiting = undelivered === 0 ? 'None waits' : undelivered === 1 ? '1 waits' : `${undelivered} wait`;
  const left = `${waiting} for your mail server`;
  const slowest =
    slowestSeconds === null ? [] : [`The slowest was accepted after ${formatDuration(slowestSeconds)}`];
  const nothing = received === 'nothing came in' && undelivered === 0 && slowestSeconds === null;
  return nothing ? received : [received, left, ...slowest].join('. ');
}

const units: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

/** '40 seconds', '3 minutes': one unit, rounded up, so that no delivery seems faster than it was. */
export function formatDuration(seconds: number): string {
  // From two units on: '90 seconds' is more precise than '2 minutes'.
  const [size, name] = units.find(([unit]) => seconds >= 2 * unit) ?? [1, 'second'];
  return formatCount(Math.max(1, Math.ceil(seconds / size)), name);
}

/** Cuts at a space, where there is one. */
function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length).replace(/\s+\S*$/, '');
  return `${cut} …`;
}

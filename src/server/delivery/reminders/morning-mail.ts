import { formNames } from '../../../model/form-field.ts';
import { asSentence } from '../../../model/sentence.ts';
import type { Archive } from '../../store/contract/archive.ts';
import type { OpenOutline } from '../../store/contract/follow-ups.ts';
import type { Letter } from '../letter/letter.ts';
import type { Mail } from '../mail.ts';
import type { Mailing } from '../mail-transport.ts';
import { createNoticeMail } from '../notices/send-notice.ts';
import { listOpen } from './open-item.ts';
import { mostNamed } from './open-list.ts';
import { describeErased, formatOpenCounts, formatWaitingSince } from './open-words.ts';
import { chooseNamed, findOverdue, type Morning, type Overdue } from './overdue.ts';

interface MorningMailing extends Pick<Mailing, 'addresses' | 'staffLink' | 'findInFolder'> {
  store: Pick<Archive, 'findSubmission'>;
}

/** The mail, and the references that it names. Null where there is nothing to remind of. */
export async function createMorningMail(
  open: readonly OpenOutline[],
  head: Pick<Mail, 'name' | 'to'>,
  morning: Morning,
  { addresses, staffLink, findInFolder, store }: MorningMailing,
): Promise<{ mail: Mail; references: string[] } | null> {
  const { site, now } = morning;
  const overdue = findOverdue(open, morning);
  if (overdue.length === 0) return null;
  const { named, bare } = chooseNamed(overdue);
  const inFolder = (await findInFolder?.()) ?? new Set<string>();
  const found = await Promise.all(
    named.map(async (one) => {
      const submission = await store.findSubmission(one.reference);
      const warning = one.erasedAt ? asSentence(describeErased(one.erasedAt, now)) : undefined;
      // Null: erased meanwhile.
      return submission && { submission, wait: formatWait(one, now), warning };
    }),
  );
  const chosen = [...named, ...bare];
  const more = overdue.length - chosen.length;
  const list = {
    named: found.filter((one) => one !== null),
    bare: bare.map((one) => ({
      ...one,
      warning: one.erasedAt ? describeErased(one.erasedAt, now).replace(/^will be /, '') : undefined,
    })),
    rest: describeRest(overdue, more),
    closing: describeClosing(staffLink !== undefined, morning.rules),
  };
  const mail = createNoticeMail(
    { site: () => site, addresses, now: () => now },
    { ...head, letter: writeLetter(overdue, chosen), below: listOpen(list, { site, staffLink, inFolder }) },
  );
  return { mail, references: chosen.map(({ reference }) => reference) };
}

function writeLetter(overdue: readonly Overdue[], chosen: readonly Overdue[]): Letter {
  const [erased = [], said = []] = [overdue, chosen].map((some) =>
    some.filter(({ erasedAt }) => erasedAt !== null),
  );
  const notSaid = erased.length - said.length;
  return {
    title: `${formatCounts(overdue)} for an answer`,
    banners:
      erased.length === 0
        ? []
        : [
            {
              tone: 'caution',
              shout: `${erased.length === overdue.length ? 'All' : erased.length} of these will be erased soon.`,
              lines: [
                'After that nobody can answer. Below it says which, and on which day.',
                ...(notSaid > 0 ? [`There is no room for ${notSaid} of them.`] : []),
              ],
            },
          ],
  };
}

/** '3 requests and 1 message wait'. */
function formatCounts(overdue: readonly Overdue[]): string {
  const counts = formatOpenCounts(
    Object.fromEntries(formNames.map((form) => [form, overdue.filter((one) => one.form === form).length])),
  );
  return `${counts} ${overdue.length === 1 ? 'waits' : 'wait'}`;
}

const formatDays = (count: number) => (count === 1 ? '1 working day' : `${count} working days`);

function formatWait({ receivedAt, workingDays }: Overdue, now: Date): string {
  const since = formatWaitingSince(receivedAt, now);
  return workingDays === 0 ? `${since}.` : `${since}, ${formatDays(workingDays)}.`;
}

/** How many more there are, and how long all of them have waited. */
function describeRest(overdue: readonly Overdue[], more: number): string[] {
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
    ...(more > 0
      ? [
          `And ${more} more, for which there is no room. The next mails name them in turn. ./awhina list --open --limit ${overdue.length} shows all of them, on the server.`,
        ]
      : []),
    `Of all ${overdue.length}, in working days: ${ages.map(([count, age]) => `${count} wait ${age}`).join(', ')}.`,
  ];
}

const describeClosing = (hasLink: boolean, { retentionDays }: Morning['rules']): string[] => [
  'To find one, search your mailbox, and its spam folder, for its reference.',
  hasLink
    ? 'To take one off this list, open its link and press “I’ve answered”. “I’ll take this” takes it off for a day and tells your colleagues.'
    : 'To take one off this list, the person who runs the website types, on the server: ./awhina answered REFERENCE --by YOUR-INITIALS',
  `This mail comes on working days, only while something waits longer than promised. The setting REMINDERS=off stops it. Then a request is erased ${retentionDays} days after a mail server accepted it, whether or not anybody has seen it.`,
];

import { asSentence, capitalise } from '../../../model/sentence.ts';
import type { Site } from '../../../model/site.ts';
import type { OpenOutline, OpenSummary } from '../../store/contract/follow-ups.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { countWorkingDays } from '../../time/working-days.ts';
import type { Letter } from '../letter/letter.ts';
import type { Mailing } from '../mail-transport.ts';
import type { ForOthers } from '../notices/tell-others.ts';
import type { Mailbox } from './mailboxes.ts';
import { listOpen } from './open-item.ts';
import { describeErased, formatOpenCounts, formatWaitingSince } from './open-words.ts';
import { describeUnseen, erasedSoonUntil, type UnseenRules, whenErased } from './unseen.ts';

interface Unseen {
  /** With all that the mail says of one, the most pressing first. */
  named: readonly StoredSubmission[];
  /** By reference alone. */
  bare: readonly OpenOutline[];
  /** All of them. */
  unseen: readonly OpenOutline[];
  /** Of those that people sent. */
  summaries: readonly OpenSummary[];
  mailbox: Mailbox;
  rules: UnseenRules;
  now: Date;
  /** Their mail is an unread file. */
  inFolder: ReadonlySet<string>;
}

/** Tells people other than those of a mailbox what nobody has seen there. Without a word of it. */
export function writeUnseen(unseen: Unseen, site: Site, staffLink: Mailing['staffLink']): ForOthers {
  const { named, bare, unseen: all, summaries, mailbox, rules, now, inFolder } = unseen;
  const isErasedSoon = ({ receivedAt }: Pick<OpenOutline, 'receivedAt'>) =>
    receivedAt <= erasedSoonUntil(rules, now);
  const describeErasing = (one: Pick<OpenOutline, 'receivedAt'>) =>
    isErasedSoon(one) ? describeErased(whenErased(one.receivedAt, rules), now) : undefined;
  const programs = all.filter(({ trapped }) => trapped).length;
  const erased = all.filter((one) => !one.trapped && isErasedSoon(one)).length;
  const more = all.length - named.length - bare.length;
  const list = {
    named: named.map((one) => {
      const erasing = describeErasing(one);
      return { submission: one, wait: formatWait(one, rules, now), warning: erasing && asSentence(erasing) };
    }),
    bare: bare.map((one) => ({ ...one, warning: describeErasing(one) })),
    rest: [
      ...(more > 0
        ? [`And ${more} more. ./awhina list --open --limit ${all.length} shows all of them, on the server.`]
        : []),
      ...(programs > 0 ? [describePrograms(programs)] : []),
    ],
    closing: [describeHowItEnds(erased > 0)],
  };
  const counts = formatOpenCounts(Object.fromEntries(summaries.map(({ form, open }) => [form, open])));
  return {
    name: `unseen-${mailbox.forms[0]}`,
    letter: writeLetter(counts, mailbox, erased, staffLink !== undefined),
    urgent: summaries.some(({ urgentUntaken }) => urgentUntaken > 0),
    below: listOpen(list, { site, staffLink, inFolder }),
    sentence: alertOfUnseen(summaries, rules, now) ?? '',
  };
}

/** What ALERT_URL gets; null once all of them were seen. */
export function alertOfUnseen(...unseen: Parameters<typeof describeUnseen>): string | null {
  const said = describeUnseen(...unseen);
  return said && capitalise(said);
}

function writeLetter(counts: string, { to }: Mailbox, erased: number, hasLink: boolean): Letter {
  return {
    title: `Nobody has seen ${counts}`,
    banners: [
      {
        tone: 'caution',
        shout: 'People may be waiting for an answer.',
        lines: [
          `These are for ${to.join(' and ')}. Nobody there has shown that they have them.`,
          ...(erased > 0
            ? [
                `${erased === 1 ? 'One of them' : `${erased} of them`} will be erased soon. After that nobody can answer.`,
              ]
            : []),
        ],
      },
    ],
    notes: [
      'Please call your team now, and ask whether somebody reads that mailbox. The mails may be in its spam folder.',
      'If they cannot find a request, the person who runs the website can show it. On its server: ./awhina show REFERENCE',
      hasLink
        ? 'Once somebody has a request, they open its link and press “I’ll take this”. Do not press it for a request that nobody has.'
        : 'Once somebody has a request, the person who runs the website types: ./awhina taken REFERENCE --by THEIR-INITIALS',
    ],
  };
}

function formatWait({ receivedAt }: StoredSubmission, { closed }: UnseenRules, now: Date): string {
  const days = countWorkingDays(receivedAt, now, closed);
  const since = formatWaitingSince(receivedAt, now);
  return days === 0 ? `${since}.` : `${since}, ${days} working ${days === 1 ? 'day' : 'days'}.`;
}

const describePrograms = (count: number) =>
  `In ${count === 1 ? 'one' : count} of these, listed last, a hidden field was filled in that people do not see. Programs do that.`;

const describeHowItEnds = (isDaily: boolean) =>
  isDaily
    ? 'This mail comes every day, until somebody has seen what will be erased.'
    : 'This mail comes on working days, until somebody has seen these.';

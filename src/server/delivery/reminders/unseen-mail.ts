import { asSentence, capitalise } from '../../../model/sentence.ts';
import type { Site } from '../../../model/site.ts';
import type { OpenSummary } from '../../store/contract/follow-ups.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { nzDay, sayDay } from '../../time/nz-time.ts';
import { countWorkingDays } from '../../time/working-days.ts';
import type { Letter } from '../letter/letter.ts';
import { linkToStaffPage } from '../letter/staff-link.ts';
import type { Mailing } from '../mail-transport.ts';
import type { ForOthers } from '../notices/tell-others.ts';
import type { Mailbox } from './mailboxes.ts';
import { describeOpen } from './open-item.ts';
import { mostNamed, openListAsHtml, openListAsText } from './open-list.ts';
import { sayErased, sayOpenCounts } from './open-words.ts';
import { erasedSoonUntil, sayUnseen, type UnseenRules, whenErased } from './unseen.ts';

interface Unseen {
  /** As many as one mail lists, the most pressing first. */
  listed: readonly StoredSubmission[];
  /** Of all. */
  summaries: readonly OpenSummary[];
  mailbox: Mailbox;
  rules: UnseenRules;
  now: Date;
}

/** Tells people other than those of a mailbox what nobody has seen there. Without a word of it. */
export function writeUnseen(unseen: Unseen, site: Site, staffLink: Mailing['staffLink']): ForOthers {
  const { listed, summaries, mailbox, rules, now } = unseen;
  const isErasedSoon = ({ receivedAt }: StoredSubmission) => receivedAt <= erasedSoonUntil(rules, now);
  const items = listed.slice(0, mostNamed).map((one) => ({
    ...describeOpen(one, sayWait(one, rules, now), { site, staffLink }),
    warning: isErasedSoon(one) ? asSentence(sayErased(whenErased(one.receivedAt, rules), now)) : undefined,
  }));
  const total = summaries.reduce((sum, { open }) => sum + open, 0);
  const list = {
    items,
    rest: [
      ...(listed.length > mostNamed ? ['These too:'] : []),
      ...listed.slice(mostNamed).map((one) => sayBriefly(one, staffLink)),
      ...(total > listed.length
        ? [`And ${total - listed.length} more. ./awhina list --open shows all of them, on the server.`]
        : []),
    ],
    closing: [sayHowItEnds(listed.some(isErasedSoon))],
  };
  const counts = sayOpenCounts(Object.fromEntries(summaries.map(({ form, open }) => [form, open])));
  return {
    name: `unseen-${mailbox.forms[0]}`,
    letter: writeLetter(counts, mailbox, listed.filter(isErasedSoon).length, staffLink !== undefined),
    urgent: summaries.some(({ urgentUntaken }) => urgentUntaken > 0),
    below: { text: openListAsText(list), html: openListAsHtml(list) },
    sentence: capitalise(sayUnseen(summaries, rules, now) ?? ''),
  };
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
    facts: [],
    answers: [],
    notes: [
      'Please call your team now, and ask whether somebody reads that mailbox. The mails may be in its spam folder.',
      'If they cannot find a request, the person who runs the website can show it. On its server: ./awhina show REFERENCE',
      hasLink
        ? 'Once somebody has a request, they open its link and press “I am on it”. Do not press it for a request that nobody has.'
        : 'Once somebody has a request, the person who runs the website types: ./awhina taken REFERENCE --by THEIR-INITIALS',
    ],
  };
}

function sayWait({ receivedAt }: StoredSubmission, { closed }: UnseenRules, now: Date): string {
  const days = countWorkingDays(receivedAt, now, closed);
  const since = `Waiting since ${sayDay(nzDay(receivedAt))}`;
  return days === 0 ? `${since}.` : `${since}, ${days} working ${days === 1 ? 'day' : 'days'}.`;
}

function sayBriefly(submission: StoredSubmission, staffLink: Mailing['staffLink']): string {
  const { reference, delivery } = submission;
  const link = linkToStaffPage(submission, staffLink);
  return [`${reference}${delivery.urgent ? ' (URGENT)' : ''}`, ...(link ? [link.url] : [])].join(': ');
}

const sayHowItEnds = (isDaily: boolean) =>
  isDaily
    ? 'This mail comes every day, until somebody has seen what will be erased.'
    : 'This mail comes on working days, until somebody has seen these.';

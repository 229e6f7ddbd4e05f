import { type Change, detailKeys, withdrawnDays } from '../../store/contract/changes.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { formatDay, formatNzTime, nzDay } from '../../time/nz-time.ts';
import type { Banner } from './letter.ts';
import { onOneLine, printable } from './printable.ts';

/** What was said about a request after it was sent, in words for staff. */

const dayMs = 24 * 3_600_000;

type Followed = Pick<StoredSubmission, 'followUp'>;

/** Red. The wish counts, whatever the answers allow. */
export function describeNoContact({ followUp: { noContactAt } }: Followed) {
  if (!noContactAt) return null;
  return {
    tone: 'stop' as const,
    shout: 'DO NOT CONTACT THIS PERSON.',
    lines: [
      `On ${formatDay(nzDay(noContactAt))} they asked us not to contact them any more.`,
      'Do not reply, write, call or text.',
    ],
  };
}

export function describeWithdrawn({ followUp: { withdrawnAt } }: Followed): Banner | null {
  if (!withdrawnAt) return null;
  return {
    tone: 'caution',
    shout: 'THEY WITHDREW IT.',
    lines: [
      `That was recorded on ${formatDay(nzDay(withdrawnAt))}. Nobody is reminded of it, and it will be erased on ${formatErasing(withdrawnAt)}.`,
      'If that is wrong, undo it. Somebody else may have the link.',
    ],
  };
}

export const formatErasing = (withdrawnAt: Date): string =>
  formatDay(nzDay(new Date(withdrawnAt.getTime() + withdrawnDays * dayMs)));

/** Below the reference, the oldest first. */
export const listChanges = ({ changes = [], reference }: StoredSubmission): [string, string][] =>
  changes.map((change) => [
    'Since then',
    `${formatNzTime(change.at)}: ${describeChange(change)}${isSealed(change) ? ` To open it: ./awhina show ${reference} --identity FILE` : ''}`,
  ]);

export const isSealed = ({ answers }: Change): boolean => answers !== undefined && !Array.isArray(answers);

/** 'AB could not reach them.' */
export function describeChange(change: Change): string {
  const { said, by, isUndo = false } = change;
  const who = by === null ? 'somebody' : onOneLine(by);
  if (isUndo) return `${who} took back that ${wishWords[said as keyof typeof wishWords]}.`;
  if (said === 'unreached') return `${who} could not reach them.`;
  if (said !== 'details') return `${who} recorded that ${wishWords[said]}.`;
  const details = listDetails(change).map(([label, text]) => `${label}: ${onOneLine(text)}`);
  return details.length > 0
    ? `${who} wrote down. ${details.join('. ')}`
    : `${who} wrote something down, sealed.`;
}

const wishWords = {
  'no-contact': 'they asked us not to contact them any more',
  withdrawn: 'they withdrew it',
} as const;

/** With a word before each. Empty where they are sealed. */
export function listDetails({ answers }: Change): [label: string, text: string][] {
  if (!Array.isArray(answers)) return [];
  return answers.map(({ key, value }) => [labels[key] ?? onOneLine(key), printable(String(value))]);
}

const labels: Record<string, string> = {
  [detailKeys.phone]: 'New number',
  [detailKeys.email]: 'New email address',
  [detailKeys.note]: 'Note',
};

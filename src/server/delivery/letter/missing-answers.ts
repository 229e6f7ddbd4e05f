import type { Entry } from '../../../model/answers.ts';
import type { ChosenWay, Way } from '../../../model/choice-meanings.ts';
import { suggestEmail } from '../../../model/reachable.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import type { Banner } from './letter.ts';
import { printable, quote } from './printable.ts';

/** Of the numbers and addresses that a banner needs: what was written, what is missing, and what was perhaps meant. */

const needs: Record<Way, string> = {
  call: 'a number',
  text: 'a number',
  email: 'an email address',
  post: 'an address',
};

/** Ways that were chosen and cannot be used, with what the person wrote instead of a number or an address. */
export function describeMissing(
  ways: readonly ChosenWay[],
  submission: StoredSubmission,
  isReachable: boolean,
): Banner['lines'] {
  const missing = ways.filter(({ missing }) => missing);
  if (missing.length === 0) return [];
  const lines = [...Map.groupBy(missing, ({ asks }) => asks)].flatMap(([key, sameKey]) => {
    const [first] = sameKey;
    const need = first ? needs[first.way] : '';
    const chose = `They ${isReachable ? 'also ' : ''}chose ${quote(sameKey.map(({ choice }) => choice))}`;
    return first?.missing === 'unusable'
      ? [
          `${chose}, but what they wrote is not ${need} that we can use:`,
          { wrote: findTextAnswer(key, submission), lang: submission.language ?? undefined },
          ...describeMistake(first.way, findTextAnswer(key, submission)),
        ]
      : [`${chose}, but did not give ${need}.`];
  });
  return isReachable ? lines : [...lines, 'Please be ready for when they contact us.'];
}

/** A guess: the address may be another person's. */
export function describeMistake(way: Way, answer: string): string[] {
  const meant = way === 'email' ? suggestEmail(answer) : undefined;
  return meant
    ? [
        `Perhaps they meant ${meant}. We cannot be sure: if you write there, say nothing about them until they answer.`,
      ]
    : [];
}

export function findTextAnswer(key: string | undefined, { answers }: StoredSubmission): string {
  const value = (answers as Entry[]).find((one) => one.key === key)?.value;
  return typeof value === 'string' ? printable(value).trim() : '';
}

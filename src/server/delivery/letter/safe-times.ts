import type { Entry } from '../../../model/answers.ts';
import { meaningsOf } from '../../../model/choice-meanings.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { printable } from './printable.ts';
import { mayCall, understandSubmission } from './safe-contact.ts';

/** What the visitor said about when, and how, it is safe to call. */
export interface SafeTimes {
  /** Chosen times, in the words of the original. */
  times: string[];
  /** Choices by which no message may be left, and nothing about the trust said to another person. */
  discreet: string[];
  /** Times in the visitor's own words. */
  ownWords: string[];
}

type Answered = Pick<StoredSubmission, 'answers' | 'definition'>;

/** Nothing where the answers are sealed: only the private key's holder can read them. */
export function findSafeTimes({ answers, definition }: Answered): SafeTimes {
  const given = Array.isArray(answers) ? (answers as Entry[]) : [];
  const meanings = meaningsOf(definition);
  const chosen = given.flatMap(({ key, value }) =>
    (Array.isArray(value) ? value : []).flatMap(
      (choice) => meanings.find((one) => one.key === key && one.choice === choice) ?? [],
    ),
  );
  const ownKeys = definition.flatMap((field) =>
    field.type === 'text' && field.means === 'safeTimes' ? field.key : [],
  );
  const chosenAs = (meaning: string) =>
    chosen.flatMap(({ choice, means }) => (means === meaning ? choice : []));
  return {
    times: chosenAs('time'),
    discreet: chosenAs('no-message'),
    ownWords: ownKeys.flatMap((key) => {
      const value = given.find((one) => one.key === key)?.value;
      return (typeof value === 'string' && printable(value).trim()) || [];
    }),
  };
}

/** Whether the mail about a submission says when, or how, it is safe to call. False where the answers are sealed. */
export function hasSafeTimes(submission: Answered): boolean {
  const understood = understandSubmission(submission);
  if (!understood || !mayCall(understood, submission.definition)) return false;
  const { times, discreet, ownWords } = findSafeTimes(submission);
  return times.length > 0 || discreet.length > 0 || ownWords.length > 0;
}

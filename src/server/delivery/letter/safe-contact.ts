import type { Entry } from '../../../model/answers.ts';
import {
  callQuestions,
  findMissing,
  hidableKeys,
  meaningsOf,
  type Understood,
  understand,
  wayOfKey,
} from '../../../model/choice-meanings.ts';
import type { Definition } from '../../../model/form-field.ts';
import { serverForms } from '../../../model/server-forms.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';

/** The key of the question for the email address, where the form does not name one. */
const emailKey = 'Email';

type Answered = Pick<StoredSubmission, 'answers' | 'definition' | 'damaged'> &
  Partial<Pick<StoredSubmission, 'followUp'>>;

/** As if the form had asked for it: later they asked us not to contact them any more. */
const refusedLater = 'Do not contact me any more';

/** What the answers mean, by the form as it was when it was answered. Null where the answers are sealed or damaged. */
export function understandSubmission(submission: Answered): Understood | null {
  const { answers, definition, damaged, followUp } = submission;
  if (!Array.isArray(answers) || damaged !== undefined) return null;
  const understood = understand(
    meaningsOf(definition),
    Object.fromEntries(answers.map(({ key, value }) => [key, value])),
  );
  if (!followUp?.noContactAt) return understood;
  return { ...understood, asked: true, refusals: [...understood.refusals, refusedLater] };
}

/** Whether the person must not be contacted. Where the answers are sealed or damaged only what was said later counts. */
export const isContactRefused = (submission: Answered): boolean =>
  Boolean(submission.followUp?.noContactAt) || (understandSubmission(submission)?.refusals.length ?? 0) > 0;

/**
 * Whether staff may answer by email. In doubt they may not: a reply that the wrong person reads can end in violence, and a
 * missing Reply-To costs staff a moment.
 */
function isEmailSafe(
  { asked, ways, refusals, uninterpreted }: Understood,
  form: StoredSubmission['form'],
): boolean {
  if (!asked) return serverForms[form].mayReplyUnasked;
  return ways.some(({ way }) => way === 'email') && refusals.length === 0 && uninterpreted.length === 0;
}

/** The visitor's address, if staff may answer there and the receipt says so. */
export function findReplyTo(submission: Answered & Pick<StoredSubmission, 'form'>): string | undefined {
  const understood = understandSubmission(submission);
  if (!understood || !isEmailSafe(understood, submission.form)) return undefined;
  const chosen = understood.ways.find(({ way, missing }) => way === 'email' && !missing);
  const key = understood.asked ? chosen?.asks : emailKey;
  const value = (submission.answers as Entry[]).find((one) => one.key === key)?.value;
  return typeof value === 'string' && !findMissing('email', value) ? value.trim() : undefined;
}

/**
 * Whether staff may write to the person, by a reply or to an address that they correct first: their mail program then quotes
 * this mail. Also where no choice has a meaning, because its words may allow it.
 */
export function mayEmail(submission: Answered & Pick<StoredSubmission, 'form'>): boolean {
  const understood = understandSubmission(submission);
  if (!understood || understood.refusals.length > 0) return false;
  const { asked, ways, uninterpreted } = understood;
  if (asked)
    return (
      uninterpreted.length > 0 || ways.some(({ way, missing }) => way === 'email' && missing !== 'empty')
    );
  const given = (submission.answers as Entry[]).find(({ key }) => key === emailKey)?.value;
  return serverForms[submission.form].mayReplyUnasked && findMissing('email', given ?? '') !== 'empty';
}

export const isPhoneWay = (means: string | undefined): boolean => means === 'call' || means === 'text';

export const offersCalls = (definition: Definition): boolean =>
  meaningsOf(definition).some(({ means }) => isPhoneWay(means));

/** Whether the times to call count: a call or a text is safe, or may be by words that have no meaning, or by a form without either. */
export const mayCall = ({ ways, refusals, uninterpreted }: Understood, definition: Definition): boolean =>
  refusals.length === 0 &&
  (uninterpreted.length > 0 || ways.some(({ way }) => isPhoneWay(way)) || !offersCalls(definition));

/** The questions that were not shown, because neither a call nor a text was chosen. */
export function findHiddenKeys(understood: Understood | null, definition: Definition): string[] {
  if (!understood?.asked || mayCall(understood, definition)) return [];
  return hidableKeys(definition, meaningsOf(definition));
}

/** The questions for a number or an address that was not chosen as safe, and for times to call where no call was chosen. */
export function findUnsafeKeys(
  understood: Understood | null,
  { form, definition }: Pick<StoredSubmission, 'form' | 'definition'>,
): Set<string> {
  if (!understood || (!understood.asked && serverForms[form].mayReplyUnasked)) return new Set();
  const { ways, refusals } = understood;
  const chosen = new Set(refusals.length > 0 ? [] : ways.map(({ asks }) => asks));
  const meanings = meaningsOf(definition);
  const keys = [...wayOfKey.keys(), ...meanings.flatMap(({ asks }) => asks ?? [])];
  const timeKeys = callQuestions(definition, meanings).map(({ key }) => key);
  return new Set([
    ...keys.filter((key) => !chosen.has(key)),
    ...(mayCall(understood, definition) ? [] : timeKeys),
  ]);
}

import type { Entry } from '../../model/answers.ts';
import type { StoredSubmission } from '../submissions/stored-submission.ts';

/** The field in which a visitor says how it is safe to reach them. */
const safeContactKey = 'SafeContact';
const emailKey = 'Email';

/**
 * What the visitor allowed. In doubt it is never e-mail: a reply that the wrong person reads can end in violence, a
 * missing Reply-To costs staff a moment.
 */
export type SafeContact =
  | { kind: 'none' }
  | { kind: 'ways'; ways: string[]; email: boolean }
  /** The form does not ask (the contact form). */
  | { kind: 'not-asked' }
  /** The answers are sealed. */
  | { kind: 'unknown' };

const isEmailChoice = (choice: string) => /^(by )?e-?mail$/i.test(choice.trim());
/** "Please don't contact me, I will contact you", in this wording or one that a trust may change it to. */
const isRefusal = (choice: string) => /\b(don['’]?t|do not|not|never|no)\b/i.test(choice);

export function findSafeContact({ form, answers }: Pick<StoredSubmission, 'form' | 'answers'>): SafeContact {
  if (!Array.isArray(answers)) return { kind: 'unknown' };
  const asked = answers.find(({ key }) => key === safeContactKey);
  if (!asked && form === 'contact') return { kind: 'not-asked' };
  const ways = Array.isArray(asked?.value) ? asked.value : [];
  if (ways.some(isRefusal)) return { kind: 'none' };
  return { kind: 'ways', ways, email: ways.some(isEmailChoice) };
}

/** The visitor's address where staff may answer there, and it is exactly one address. */
export function findReplyTo(safe: SafeContact, answers: StoredSubmission['answers']): string | undefined {
  const allowed = safe.kind === 'not-asked' || (safe.kind === 'ways' && safe.email);
  if (!allowed || !Array.isArray(answers)) return undefined;
  const value = (answers as Entry[]).find(({ key }) => key === emailKey)?.value;
  return typeof value === 'string' && isOneAddress(value.trim()) ? value.trim() : undefined;
}

/** Plain addresses only: no names, comments, quotes, lists or anything else the standard allows and nobody has. */
export function isOneAddress(text: string): boolean {
  if (text.length > 254) return false;
  return /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(
    text,
  );
}

import type { Entry } from '../../model/answers.ts';
import type { StoredSubmission } from '../submissions/stored-submission.ts';

/** The field in which a visitor says how it is safe to reach them. */
export const safeContactKey = 'SafeContact';
const emailKey = 'Email';

/**
 * What the visitor allowed. In doubt it is never e-mail: a reply that the wrong person reads can end in violence, a
 * missing Reply-To costs staff a moment.
 */
export type SafeContact =
  | { kind: 'none' }
  /** `unclear` are choices that also forbid something, or seem to: only a person can tell what they allow. */
  | { kind: 'ways'; ways: string[]; unclear: string[]; email: boolean }
  /** The form does not ask (the contact form). */
  | { kind: 'not-asked' }
  /** The answers are sealed. */
  | { kind: 'unknown' };

/** How a choice is understood, whose wording is the trust's to change. */
export type ChoiceMeaning = 'email' | 'way' | 'refusal' | 'unclear';

const email = /^(by )?e-?mail$/i;
/** "Please don't contact me, I will contact you", and nothing that takes some of it back. */
const refusal =
  /^(please,? )?((don'?t|do not|never) (ever )?(contact|reach|get in touch with|reach out to)( me| us)?|no contact|(it is|it's) not safe to (contact|reach) (me|us))( at all| in any way)?(,? please)?[.!]?([,.;:–—-]? ?\(?(I|we)( will|'ll)\b(?!.*\b(unless|except|but|only|you (can|may))\b).*)?$/i;
/** A no of any kind, also in te reo Māori, or who gets in touch with whom. */
const doubt =
  /\b(not|no|never|none|nothing|nobody|without|unless|except|only|kaua|kaore|kao)\b|n't\b|dont\b|\bI( will|'ll)\b/i;

export function understandChoice(choice: string): ChoiceMeaning {
  const words = choice.trim().replace(/\s+/g, ' ').replaceAll('’', "'").replaceAll('ā', 'a');
  if (email.test(words)) return 'email';
  if (refusal.test(words)) return 'refusal';
  return doubt.test(words) ? 'unclear' : 'way';
}

export function findSafeContact({ form, answers }: Pick<StoredSubmission, 'form' | 'answers'>): SafeContact {
  if (!Array.isArray(answers)) return { kind: 'unknown' };
  const asked = answers.find(({ key }) => key === safeContactKey);
  if (!asked && form === 'contact') return { kind: 'not-asked' };
  const chosen = Array.isArray(asked?.value) ? asked.value : [];
  const meant = (meaning: ChoiceMeaning) => chosen.filter((choice) => understandChoice(choice) === meaning);
  if (meant('refusal').length > 0) return { kind: 'none' };
  const unclear = meant('unclear');
  return {
    kind: 'ways',
    ways: chosen.filter((choice) => !unclear.includes(choice)),
    unclear,
    email: meant('email').length > 0,
  };
}

/** The visitor's address where staff may answer there, and it is exactly one address. */
export function findReplyTo(safe: SafeContact, answers: StoredSubmission['answers']): string | undefined {
  const allowed =
    safe.kind === 'not-asked' || (safe.kind === 'ways' && safe.email && safe.unclear.length === 0);
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

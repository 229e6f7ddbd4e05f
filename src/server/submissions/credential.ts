import { createHmac, hash } from 'node:crypto';
import type { Doubt } from '../../model/bot-verdict.ts';
import type { FormName } from '../../model/form-field.ts';
import type { Receipt } from '../../model/operations.ts';
import type { BotCheck, BotCheckResult } from '../bot-check/bot-check.ts';
import type { SubmissionStore } from '../store/contract/store.ts';

/** What makes a resend safe: the hashes under which the store finds a submission again. */

/** The credential of a form without a script, which has no token. */
export interface NoScriptPost {
  /** Hashes of the answers and the page's signed time, with the current hour and with the hour before. */
  identities: readonly [current: string, before: string];
  doubts: Doubt[];
}

/** The bot check's token, or what a form without a script has instead. */
export type Credential = string | NoScriptPost;

/** The same answers from the same page without a script count as one submission for this long. */
export const resendWindowMs = 60 * 60_000;

export type RawEntry = { key: string; value: unknown };

export interface CredentialHashes {
  tokenHash: string;
  answersHash: string;
}

/** Null where a token is not one. */
export function hashCredential(
  credential: Credential,
  botCheck: BotCheck,
  form: FormName,
  entries: readonly RawEntry[],
): CredentialHashes | null {
  const identity = typeof credential === 'string' ? botCheck.identify(credential) : credential.identities[0];
  if (identity === null) return null;
  return { tokenHash: hash('sha256', identity), answersHash: hashAnswers(identity, form, entries) };
}

export async function verifyCredential(credential: Credential, botCheck: BotCheck): Promise<BotCheckResult> {
  if (typeof credential === 'string') return botCheck.verify(credential);
  return { ok: true, verdict: { kind: 'no-script', doubts: credential.doubts } };
}

/** The receipt of the same form without a script, sent within the hour. */
export async function findSamePost(
  { identities }: NoScriptPost,
  store: Pick<SubmissionStore, 'findByToken'>,
  now: Date,
): Promise<Receipt | null> {
  for (const one of identities) {
    const { receipt } = (await store.findByToken(hash('sha256', one))) ?? {};
    if (receipt && now.getTime() - Date.parse(receipt.receivedAt) < resendWindowMs) return receipt;
  }
  return null;
}

/**
 * Covers the form's name: the same words on the other form are another submission. Keyed by the token, of which the
 * store has only a hash: a reader of the database cannot test guesses at somebody's answers.
 */
function hashAnswers(identity: string, form: FormName, entries: readonly RawEntry[]): string {
  const sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return createHmac('sha256', identity)
    .update(JSON.stringify([form, sorted.map(({ key, value }) => [key, value])]))
    .digest('hex');
}

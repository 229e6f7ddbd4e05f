import { type Answers, toEntries } from '../../model/answers.ts';
import { type BotVerdict, isTrapped } from '../../model/bot-verdict.ts';
import { checkEntries } from '../../model/check-entries.ts';
import { type Meanings, meaningsOf, understand } from '../../model/choice-meanings.ts';
import type { FormName } from '../../model/form-field.ts';
import type { ErrorCode, Receipt } from '../../model/operations.ts';
import type { Problem } from '../../model/validate.ts';
import type { BotCheck, TokenFault } from '../bot-check/bot-check.ts';
import type { Form } from '../content/content.ts';
import type { TranslatedForm } from '../content/languages/translated-content.ts';
import { findSpaceProblem } from '../files/free-space.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import type { SubmissionStore } from '../store/contract/store.ts';
import type { Added, Spent } from '../store/contract/submission.ts';
import { findChosen } from './counted-choices.ts';
import {
  type Credential,
  type CredentialHashes,
  findSamePost,
  hashCredential,
  type RawEntry,
  verifyCredential,
} from './credential.ts';
import { findHeldUntil, findRank, flagAsMany } from './mail-order.ts';
import { type ClientQuota, unlimitedQuota } from './quota.ts';
import type { Seal } from './seal.ts';

export type SubmitOutcome =
  | { ok: true; receipt: Receipt }
  | { ok: false; code: ErrorCode; message: string; retryAfterSeconds?: number; problem?: Problem };

interface SubmitParts {
  store: SubmissionStore;
  botCheck: BotCheck;
  now: () => Date;
  /** Whether an urgent submission has an alert due (ALERT_URL). */
  alerts?: boolean;
  /** Staff are reminded of an urgent submission that nobody has taken by then (URGENT_WITHIN_MINUTES). */
  urgentWithinMs?: number | undefined;
  /** Seals the answers before they are stored, where SEAL_TO is set. */
  seal?: Seal | undefined;
  /** The disk that must have free space for submissions beyond the quota. Undefined with PostgreSQL. */
  dataDir?: string | undefined;
  findSpaceProblem?: typeof findSpaceProblem;
  /** Called once a submission is synced to disk. `seconds` is how long the store took. */
  onStored?: (
    receipt: Receipt,
    stored: { form: FormName; canary: boolean; urgent: boolean; seconds: number },
  ) => void;
  onTokenRefused?: (reason: TokenFault) => void;
  /** Called when the store failed. The visitor's browser is then asked to try again. */
  onUnavailable?: (error: StoreUnavailable) => void;
}

/** The translation in which the form was read: problems are told in its words. What is stored is the original. */
interface Translation {
  tag: string;
  form: TranslatedForm;
}

/** A form that will be stored: its token and its answers are good. */
interface Accepted {
  form: Form;
  answers: Answers;
  verdict: BotVerdict;
  urgent: boolean;
  canary: boolean;
  isOverQuota: boolean;
  /** The tag of the translation in which the form was read. */
  language: string | null;
  receivedAt: Date;
}

/**
 * Verifies the token, checks the answers, stores them, and only then acknowledges.
 *
 * A token makes a resend safe: the same token with the same answers gets the first receipt again, whatever has expired
 * or changed since; with other answers it is refused. A form without a script has no token: there the same answers from
 * the same page within an hour are the same submission.
 */
export function createSubmit(parts: SubmitParts) {
  const { store, botCheck, now, dataDir, seal, urgentWithinMs, onStored, onUnavailable } = parts;
  const findDiskProblem = parts.findSpaceProblem ?? findSpaceProblem;

  function refuse(quota: ClientQuota, reason: TokenFault): SubmitOutcome {
    parts.onTokenRefused?.(reason);
    return refuseJunk(quota);
  }

  /** The first receipt again, where the token was used with the same answers. Null where it was not. */
  const findResend = async ({ tokenHash, answersHash }: CredentialHashes): Promise<SubmitOutcome | null> =>
    acknowledgeResend(await store.findByToken(tokenHash), answersHash);

  /** The answers as they are stored, and what is counted of them. */
  async function prepareAnswers(accepted: Accepted) {
    const { form, answers, receivedAt, urgent, verdict, language } = accepted;
    const { definition, name } = form;
    const entries = toEntries(definition, answers);
    const about = { form: name, receivedAt: receivedAt.toISOString(), urgent, verdict, definition, language };
    const counted = { chosen: findChosen(form, answers), countedLanguage: language };
    return {
      answers: seal ? await seal(entries, about) : entries,
      language: seal ? null : language,
      ...(seal && !form.countSealed ? {} : counted),
    };
  }

  async function storeOnce(accepted: Accepted, hashes: CredentialHashes, quota: ClientQuota) {
    const { form, verdict, receivedAt, urgent, canary, isOverQuota } = accepted;
    const prepared = await prepareAnswers(accepted);
    const hourlyRank = quota.takeRank();
    const startedAt = performance.now();
    let result: Added | undefined;
    try {
      result = await store.add({
        ...prepared,
        ...hashes,
        form,
        verdict,
        receivedAt,
        heldUntil: findHeldUntil(accepted, receivedAt),
        urgent,
        // A field that people do not see is filled in by programs: the mail is enough.
        alert: urgent && parts.alerts === true && !isTrapped(verdict),
        ...(urgentWithinMs && { remindAt: new Date(receivedAt.getTime() + urgentWithinMs) }),
        rank: findRank(hourlyRank.rank, isOverQuota),
        canary,
      });
    } finally {
      if (!result?.added) hourlyRank.release();
    }
    if (!result.added) return acknowledgeResend(result.spent, hashes.answersHash) ?? refuse(quota, 'spent');
    quota.countStored();
    const seconds = (performance.now() - startedAt) / 1_000;
    onStored?.(result.receipt, { form: form.name, canary, urgent, seconds });
    return acknowledge(result.receipt);
  }

  return async function submitForm(
    form: Form,
    entries: readonly RawEntry[],
    credential: Credential,
    clientQuota: ClientQuota,
    translation: Translation | null = null,
  ): Promise<SubmitOutcome> {
    const canary = clientQuota.isCanary?.(form.name, entries) ?? false;
    const quota = canary ? unlimitedQuota : clientQuota;
    const noScript = typeof credential === 'string' ? null : credential;
    const hashes = hashCredential(credential, botCheck, form.name, entries);
    if (hashes === null) return refuse(quota, 'malformed');
    try {
      const check = await verifyCredential(credential, botCheck);
      if (!check.ok) return (await findResend(hashes)) ?? refuse(quota, check.reason);
      const { definition, problems } = translation?.form ?? form;
      const checked = checkEntries(definition, entries, problems);
      if (!checked.ok) return (await findResend(hashes)) ?? refuseAnswers(checked.problem);
      const earlier = noScript && (await findSamePost(noScript, store, now()));
      if (earlier) return acknowledge(earlier);

      const { answers } = checked;
      const urgent = !canary && understand(findMeanings(form), answers).urgent.length > 0;
      const isOverQuota = noScript ? quota.countNoScript() === 'held' : quota.hasSentMany();
      // Nothing but pacing limits forms without a script, so the last free space is for clients within their quota.
      if (noScript && isOverQuota && !urgent && dataDir && (await findDiskProblem(dataDir)))
        return unavailable;
      const verdict = isOverQuota ? flagAsMany(check.verdict) : check.verdict;
      const language = translation?.tag ?? null;
      const accepted = { form, answers, verdict, urgent, canary, isOverQuota, language, receivedAt: now() };
      return await storeOnce(accepted, hashes, quota);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      onUnavailable?.(error);
      return unavailable;
    }
  };
}

const acknowledge = (receipt: Receipt): SubmitOutcome => ({ ok: true, receipt });

const acknowledgeResend = (spent: Spent | null, answersHash: string): SubmitOutcome | null =>
  spent?.answersHash === answersHash ? acknowledge(spent.receipt) : null;

const refuseAnswers = (problem: Problem): SubmitOutcome => ({
  ok: false,
  code: 'BAD_ANSWERS',
  message: problem.message,
  problem,
});

const unavailable: SubmitOutcome = {
  ok: false,
  code: 'UNAVAILABLE',
  message: 'We could not take this just now. Please try again.',
};

export type SubmitForm = ReturnType<typeof createSubmit>;

const meaningsByDefinition = new WeakMap<Form['definition'], Meanings>();

/** Computed once for each definition, which lives as long as the content. */
function findMeanings({ definition }: Form): Meanings {
  const meanings = meaningsByDefinition.get(definition) ?? meaningsOf(definition);
  meaningsByDefinition.set(definition, meanings);
  return meanings;
}

function refuseJunk(quota: ClientQuota): SubmitOutcome {
  const retryAfterSeconds = quota.countJunk();
  if (retryAfterSeconds === null) {
    const message = 'The bot check did not pass. Please send the form again.';
    return { ok: false, code: 'BOT_CHECK_FAILED', message };
  }
  const message = 'Too many at once. Please try again in a few minutes.';
  return { ok: false, code: 'RATE_LIMITED', message, retryAfterSeconds };
}

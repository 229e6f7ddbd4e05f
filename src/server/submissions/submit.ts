import { createHmac, hash } from 'node:crypto';
import { toEntries } from '../../model/answers.ts';
import { type BotVerdict, type Doubt, isTrapped } from '../../model/bot-verdict.ts';
import { checkEntries } from '../../model/check-entries.ts';
import { type Meanings, meaningsOf, understand } from '../../model/choice-meanings.ts';
import type { FormName } from '../../model/form-field.ts';
import type { ErrorCode, Receipt } from '../../model/operations.ts';
import type { Problem } from '../../model/validate.ts';
import type { BotCheck, BotCheckResult, TokenFault } from '../bot-check/bot-check.ts';
import type { Form } from '../content/content.ts';
import type { TranslatedForm } from '../content/languages/translated-content.ts';
import { findSpaceProblem } from '../files/free-space.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import type { SubmissionStore } from '../store/contract/store.ts';
import type { Spent } from '../store/contract/submission.ts';
import { findChosen } from './counted-choices.ts';
import { type ClientQuota, unlimitedQuota } from './quota.ts';
import type { Seal } from './seal.ts';

export type SubmitOutcome =
  | { ok: true; receipt: Receipt }
  | { ok: false; code: ErrorCode; message: string; retryAfterSeconds?: number; problem?: Problem };

/** The credential of a form without a script, which has no token. */
export interface NoScriptPost {
  /** Hashes of the answers and the page's signed time, with the current hour and with the hour before. */
  identities: readonly [current: string, before: string];
  doubts: Doubt[];
}

/** The same answers from the same page without a script count as one submission for this long. */
export const resendWindowMs = 60 * 60_000;
/** How often held mail is sent, together in one digest. */
const digestEveryMs = 10 * 60_000;
/**
 * Added to the rank of a submission that is flagged as one of many, so that it is delivered after all others. No client
 * has as many unflagged ones in an hour.
 */
const flaggedRankOffset = 1_000;

interface SubmitParts {
  store: SubmissionStore;
  botCheck: BotCheck;
  now: () => Date;
  /** Whether an urgent submission has an alert due (ALERT_URL). */
  alerts?: boolean;
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

type RawEntry = { key: string; value: unknown };

/**
 * Verifies the token, checks the answers, stores them, and only then acknowledges.
 *
 * A token makes a resend safe: the same token with the same answers gets the first receipt again, whatever has expired
 * or changed since; with other answers it is refused. A form without a script has no token: there the same answers from
 * the same page within an hour are the same submission.
 */
export function createSubmit(parts: SubmitParts) {
  const { store, botCheck, now, dataDir, seal, onStored, onUnavailable } = parts;
  const findDiskProblem = parts.findSpaceProblem ?? findSpaceProblem;

  function refuse(quota: ClientQuota, reason: TokenFault): SubmitOutcome {
    parts.onTokenRefused?.(reason);
    return refuseJunk(quota);
  }

  async function findEarlier({ identities }: NoScriptPost): Promise<Receipt | null> {
    for (const one of identities) {
      const { receipt } = (await store.findByToken(hashIdentity(one))) ?? {};
      if (receipt && now().getTime() - Date.parse(receipt.receivedAt) < resendWindowMs) return receipt;
    }
    return null;
  }

  return async function submitForm(
    form: Form,
    entries: readonly RawEntry[],
    credential: string | NoScriptPost,
    clientQuota: ClientQuota,
    translation: Translation | null = null,
  ): Promise<SubmitOutcome> {
    const canary = clientQuota.isCanary?.(form.name, entries) ?? false;
    const quota = canary ? unlimitedQuota : clientQuota;
    const noScript = typeof credential === 'string' ? null : credential;
    const identity =
      typeof credential === 'string' ? botCheck.identify(credential) : credential.identities[0];
    if (identity === null) return refuse(quota, 'malformed');
    const tokenHash = hashIdentity(identity);
    const answersHash = hashAnswers(identity, form.name, entries);
    /** The first receipt again, where the token was used with the same answers. Null where it was not. */
    const asResend = (spent: Spent | null): SubmitOutcome | null =>
      spent?.answersHash === answersHash ? { ok: true, receipt: spent.receipt } : null;

    try {
      const check =
        typeof credential === 'string' ? await botCheck.verify(credential) : withoutBotCheck(credential);
      if (!check.ok) return asResend(await store.findByToken(tokenHash)) ?? refuse(quota, check.reason);

      const { definition, problems } = translation?.form ?? form;
      const checked = checkEntries(definition, entries, problems);
      if (!checked.ok) {
        const { problem } = checked;
        const refusal = { ok: false, code: 'BAD_ANSWERS', message: problem.message, problem } as const;
        return asResend(await store.findByToken(tokenHash)) ?? refusal;
      }

      const urgent = !canary && understand(findMeanings(form), checked.answers).urgent.length > 0;
      let { verdict } = check;
      let heldUntil: Date | undefined;
      let isOverQuota = quota.hasSentMany();
      if (noScript) {
        const earlier = await findEarlier(noScript);
        if (earlier) return { ok: true, receipt: earlier };
        isOverQuota = quota.countNoScript() === 'held';
        // Nothing but pacing limits forms without a script, so the last free space is for clients within their quota.
        if (isOverQuota && !urgent && dataDir && (await findDiskProblem(dataDir))) return unavailable;
        if (isOverQuota) verdict = { kind: 'no-script', doubts: [...noScript.doubts, 'many'] };
        // The other doubts are only shown to staff: a person may come back to an old page.
        const isHeld = isOverQuota || (isTrapped(verdict) && !canary);
        // An urgent request is never held: its sender may be unsafe now, and a digest is easily taken for junk.
        if (isHeld && !urgent) heldUntil = nextDigest(now());
      }

      // Beyond the quota a submission is flagged, not refused: a whole refuge or town may share one address.
      if (isOverQuota && verdict.kind === 'clean') verdict = { kind: 'many' };
      const answers = toEntries(form.definition, checked.answers);
      const receivedAt = now();
      const language = translation?.tag ?? null;
      const about = {
        form: form.name,
        receivedAt: receivedAt.toISOString(),
        urgent,
        verdict,
        definition: form.definition,
        language,
      };
      const answersToStore = seal ? await seal(answers, about) : answers;
      const hourlyRank = quota.takeRank();
      const startedAt = performance.now();
      const adding = store.add({
        form,
        answers: answersToStore,
        verdict,
        tokenHash,
        answersHash,
        receivedAt,
        heldUntil,
        urgent,
        // A field that people do not see is filled in by programs: the mail is enough.
        alert: urgent && parts.alerts === true && !isTrapped(verdict),
        rank: isOverQuota
          ? flaggedRankOffset + hourlyRank.rank
          : Math.min(hourlyRank.rank, flaggedRankOffset),
        canary,
        language: seal ? null : language,
        ...(seal && !form.countSealed
          ? {}
          : { chosen: findChosen(form, checked.answers), countedLanguage: language }),
      });
      const result = await adding.catch((error) => {
        hourlyRank.release();
        throw error;
      });
      if (!result.added) {
        hourlyRank.release();
        return asResend(result.spent) ?? refuse(quota, 'spent');
      }
      quota.countStored();
      const seconds = (performance.now() - startedAt) / 1_000;
      onStored?.(result.receipt, { form: form.name, canary, urgent, seconds });
      return { ok: true, receipt: result.receipt };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      onUnavailable?.(error);
      return unavailable;
    }
  };
}

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

function withoutBotCheck({ doubts }: NoScriptPost): BotCheckResult {
  const verdict: BotVerdict = { kind: 'no-script', doubts };
  return { ok: true, verdict };
}

/** Fixed times, so that all held mail of several servers goes out together. */
function nextDigest(at: Date): Date {
  return new Date((Math.floor(at.getTime() / digestEveryMs) + 1) * digestEveryMs);
}

const hashIdentity = (identity: string): string => hash('sha256', identity);

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

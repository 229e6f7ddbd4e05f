import { createHmac, hash } from 'node:crypto';
import { toEntries } from '../../model/answers.ts';
import type { BotVerdict, Doubt } from '../../model/bot-verdict.ts';
import { checkEntries } from '../../model/check-entries.ts';
import { type Meanings, meaningsOf, understand } from '../../model/choice-meanings.ts';
import type { FormName } from '../../model/form-field.ts';
import type { ErrorCode, Receipt } from '../../model/operations.ts';
import type { Problem } from '../../model/validate.ts';
import type { BotCheck, BotCheckResult, TokenFault } from '../bot-check/bot-check.ts';
import type { Form } from '../content/content.ts';
import { findChosen } from '../figures/counting.ts';
import { findSpaceProblem } from '../files/free-space.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import type { SubmissionStore } from '../store/contract/store.ts';
import type { Spent } from '../store/contract/submission.ts';
import { type ClientQuota, unlimitedQuota } from './quota.ts';
import type { Seal } from './seal.ts';

export type SubmitOutcome =
  | { ok: true; receipt: Receipt }
  | { ok: false; code: ErrorCode; message: string; retryAfterSeconds?: number; problem?: Problem };

/** What a form that the browser posted by itself has in place of a token. */
export interface NoScriptPost {
  /** The same for the same answers within an hour; the second is the one that the hour before would have had. */
  identities: readonly [current: string, before: string];
  doubts: Doubt[];
}

/** The same answers without a script are one request for this long. */
export const sameForMs = 60 * 60_000;
/** Mail that is held back goes out together at these times. */
const heldMs = 10 * 60_000;
/** The rank behind which all those flagged as many stand. No sender has as many that are not in an hour. */
const afterClean = 1_000;

export interface SubmitParts {
  store: SubmissionStore;
  botCheck: BotCheck;
  now: () => Date;
  /** Seals the answers before they are stored, where the trust wants that. */
  seal?: Seal | undefined;
  /** On whose disk there must be room for more than people send. Undefined where PostgreSQL has it on its own. */
  dataDir?: string | undefined;
  findSpaceProblem?: typeof findSpaceProblem;
  /** Called once a submission is synced to disk, so many seconds after the store was asked. */
  onStored?: (receipt: Receipt, stored: { form: FormName; canary: boolean; seconds: number }) => void;
  /** Told of each token that is refused, and why. */
  onTokenRefused?: (reason: TokenFault) => void;
  /** Told when the store failed, before the visitor's browser is asked to try again. */
  onUnavailable?: (error: StoreUnavailable) => void;
}

type RawEntry = { key: string; value: unknown };

/**
 * The heart: verify the token, check the answers, keep them, and only then acknowledge.
 *
 * A token is spent once and is also what makes a resend safe: the same token with the same answers gets the first
 * receipt again, whatever has expired or changed since; with other answers it is refused. A form without a script has
 * no token; there the answers themselves are what makes it the same one.
 */
export function createSubmit(parts: SubmitParts) {
  const { store, botCheck, now, dataDir, seal, onStored, onUnavailable } = parts;
  const findProblem = parts.findSpaceProblem ?? findSpaceProblem;

  function refuse(quota: ClientQuota, reason: TokenFault): SubmitOutcome {
    parts.onTokenRefused?.(reason);
    return refuseJunk(quota);
  }

  async function findEarlier({ identities }: NoScriptPost): Promise<Receipt | null> {
    for (const one of identities) {
      const { receipt } = (await store.findByToken(hashIdentity(one))) ?? {};
      if (receipt && now().getTime() - Date.parse(receipt.receivedAt) < sameForMs) return receipt;
    }
    return null;
  }

  return async function submitForm(
    form: Form,
    entries: readonly RawEntry[],
    proof: string | NoScriptPost,
    from: ClientQuota,
  ): Promise<SubmitOutcome> {
    const canary = from.isCanary?.(form.name, entries) ?? false;
    const quota = canary ? unlimitedQuota : from;
    const plain = typeof proof === 'string' ? null : proof;
    const identity = typeof proof === 'string' ? botCheck.identify(proof) : proof.identities[0];
    if (identity === null) return refuse(quota, 'malformed');
    const tokenHash = hashIdentity(identity);
    const answersHash = hashAnswers(identity, form.name, entries);
    const settle = (spent: Spent | null, otherwise: () => SubmitOutcome): SubmitOutcome =>
      spent?.answersHash === answersHash ? { ok: true, receipt: spent.receipt } : otherwise();

    try {
      const check = typeof proof === 'string' ? await botCheck.verify(proof) : unchecked(proof);
      if (!check.ok) return settle(await store.findByToken(tokenHash), () => refuse(quota, check.reason));

      const checked = checkEntries(form.definition, entries, form.problems);
      if (!checked.ok) {
        const { problem } = checked;
        return settle(await store.findByToken(tokenHash), () => ({
          ok: false,
          code: 'BAD_ANSWERS',
          message: problem.message,
          problem,
        }));
      }

      const urgent = !canary && understand(findMeanings(form), checked.answers).urgent.length > 0;
      let { verdict } = check;
      let heldUntil: Date | undefined;
      let isMany = quota.hasSentMany();
      if (plain) {
        const earlier = await findEarlier(plain);
        if (earlier) return { ok: true, receipt: earlier };
        isMany = quota.countNoScript() === 'held';
        // Nothing but the pace bounds these. What is left of the disk is for those who send as people do.
        if (isMany && !urgent && dataDir && (await findProblem(dataDir))) return unavailable;
        if (isMany) verdict = { kind: 'no-script', doubts: [...plain.doubts, 'many'] };
        // The other doubts are told with it: somebody may be quick, or come back to an old page.
        const isHeld = isMany || (plain.doubts.includes('trap') && !canary);
        // Never an urgent one: somebody may be unsafe now, and a mail of many is easily taken for junk.
        if (isHeld && !urgent) heldUntil = nextRound(now());
      }

      // Never refused for it, because a whole refuge or town may share one address: staff are told instead.
      if (isMany && verdict.kind === 'clean') verdict = { kind: 'many' };
      const answers = toEntries(form.definition, checked.answers);
      const receivedAt = now();
      const about = {
        form: form.name,
        receivedAt: receivedAt.toISOString(),
        urgent,
        verdict,
        definition: form.definition,
      };
      const stored = seal ? await seal(answers, about) : answers;
      const taken = quota.takeRank();
      const startedAt = performance.now();
      const adding = store.add({
        form,
        answers: stored,
        verdict,
        tokenHash,
        answersHash,
        receivedAt,
        heldUntil,
        urgent,
        rank: isMany ? afterClean + taken.rank : Math.min(taken.rank, afterClean),
        canary,
        chosen: seal && !form.countSealed ? [] : findChosen(form, checked.answers),
      });
      const result = await adding.catch((error) => {
        taken.release();
        throw error;
      });
      if (!result.added) {
        taken.release();
        return settle(result.spent, () => refuse(quota, 'spent'));
      }
      quota.countStored();
      const seconds = (performance.now() - startedAt) / 1_000;
      onStored?.(result.receipt, { form: form.name, canary, seconds });
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

const known = new WeakMap<Form['definition'], Meanings>();

/** What its choices mean, found once for as long as the content stays. */
function findMeanings({ definition }: Form): Meanings {
  const meanings = known.get(definition) ?? meaningsOf(definition);
  known.set(definition, meanings);
  return meanings;
}

function refuseJunk(quota: ClientQuota): SubmitOutcome {
  const retryAfterSeconds = quota.countJunk();
  if (retryAfterSeconds === null) {
    const message = 'The bot check did not pass. Please send the form again.';
    return { ok: false, code: 'BOT_CHECK_FAILED', message };
  }
  return tooMany(retryAfterSeconds);
}

function tooMany(retryAfterSeconds: number): SubmitOutcome {
  const message = 'Too many at once. Please try again in a few minutes.';
  return { ok: false, code: 'RATE_LIMITED', message, retryAfterSeconds };
}

function unchecked({ doubts }: NoScriptPost): BotCheckResult {
  const verdict: BotVerdict = { kind: 'no-script', doubts };
  return { ok: true, verdict };
}

/** The same for all that are held in the meantime, however many servers there are. */
function nextRound(at: Date): Date {
  return new Date((Math.floor(at.getTime() / heldMs) + 1) * heldMs);
}

const hashIdentity = (identity: string): string => hash('sha256', identity);

/**
 * Of the form too: the same words on the other form are another request. Keyed by the token, of which the store keeps
 * only a hash: whoever reads the database cannot test guesses at what somebody answered.
 */
function hashAnswers(identity: string, form: FormName, entries: readonly RawEntry[]): string {
  const sorted = entries.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return createHmac('sha256', identity)
    .update(JSON.stringify([form, sorted.map(({ key, value }) => [key, value])]))
    .digest('hex');
}

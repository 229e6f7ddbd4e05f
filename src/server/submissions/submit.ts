import { createHash, createHmac } from 'node:crypto';
import { toEntries } from '../../model/answers.ts';
import type { FormName } from '../../model/form-field.ts';
import type { ErrorCode, Receipt } from '../../model/operations.ts';
import { checkEntries } from '../../model/validate.ts';
import type { BotCheck } from '../bot-check/bot-check.ts';
import type { Form } from '../content/content.ts';
import type { Seal } from './seal.ts';
import type { Sender } from './sender.ts';
import { type Spent, StoreUnavailable, type SubmissionStore } from './submission-store.ts';

export type SubmitOutcome =
  | { ok: true; receipt: Receipt }
  | { ok: false; code: ErrorCode; message: string; retryAfterSeconds?: number };

export interface SubmitParts {
  store: SubmissionStore;
  botCheck: BotCheck;
  now: () => Date;
  /** Seals the answers before they are stored, where the trust wants that. */
  seal?: Seal | undefined;
  /** Told of each submission once it is safely kept. */
  onKept?: (receipt: Receipt) => void;
  /** Told when the store failed, before the visitor's browser is asked to try again. */
  onUnavailable?: (error: StoreUnavailable) => void;
}

type RawEntry = { key: string; value: unknown };

/**
 * The heart: verify the token, check the answers, keep them, and only then acknowledge.
 *
 * A token is spent once and is also what makes a resend safe: the same token with the same answers gets the first
 * receipt again, whatever has expired or changed since; with other answers it is refused.
 */
export function createSubmit({ store, botCheck, now, seal, onKept, onUnavailable }: SubmitParts) {
  return async function submitForm(
    form: Form,
    entries: readonly RawEntry[],
    token: string,
    sender: Sender,
  ): Promise<SubmitOutcome> {
    const identity = botCheck.identify(token);
    if (identity === null) return refuseJunk(sender);
    const tokenHash = createHash('sha256').update(identity).digest('hex');
    const answersHash = hashAnswers(identity, form.name, entries);
    const settle = (spent: Spent | null, otherwise: () => SubmitOutcome): SubmitOutcome =>
      spent?.answersHash === answersHash ? { ok: true, receipt: spent.receipt } : otherwise();

    try {
      const check = await botCheck.verify(token);
      if (!check.ok) return settle(await store.findByToken(tokenHash), () => refuseJunk(sender));

      const checked = checkEntries(form.definition, entries);
      if (!checked.ok) {
        const { message } = checked.problem;
        return settle(await store.findByToken(tokenHash), () => ({
          ok: false,
          code: 'BAD_ANSWERS',
          message,
        }));
      }

      // Never refused for it, because a whole refuge or town may share one address: staff are told instead.
      const many = sender.hasSentMany();
      const answers = toEntries(form.definition, checked.answers);
      const result = await store.add({
        form,
        answers: seal ? await seal(answers) : answers,
        verdict: many && check.verdict.kind === 'clean' ? { kind: 'many' } : check.verdict,
        tokenHash,
        answersHash,
        receivedAt: now(),
      });
      if (!result.added) return settle(result.spent, () => refuseJunk(sender));
      sender.countKept();
      onKept?.(result.receipt);
      return { ok: true, receipt: result.receipt };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      onUnavailable?.(error);
      return {
        ok: false,
        code: 'UNAVAILABLE',
        message: 'We could not take this just now. Please try again.',
      };
    }
  };
}

export type SubmitForm = ReturnType<typeof createSubmit>;

function refuseJunk(sender: Sender): SubmitOutcome {
  const retryAfterSeconds = sender.countJunk();
  if (retryAfterSeconds === null) {
    const message = 'The bot check did not pass. Please send the form again.';
    return { ok: false, code: 'BOT_CHECK_FAILED', message };
  }
  const message = 'Too many at once. Please try again in a few minutes.';
  return { ok: false, code: 'RATE_LIMITED', message, retryAfterSeconds };
}

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

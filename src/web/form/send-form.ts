import type { Entry } from '../../model/answers.ts';
import type { FormName } from '../../model/form-field.ts';
import type { Receipt } from '../../model/operations.ts';
import type { PostFailure, PostOutcome } from './calls.ts';
import type { Tokens } from './tokens.ts';

export const submitFailures = {
  help: 'Could not submit get help request',
  contact: 'Could not submit contact request',
} as const satisfies Record<FormName, string>;

/** Says the words of the catalogue, and why the last try failed. */
export type SendFailure = Error & Pick<PostFailure, 'code'>;

/** Four tries with about 12 s of waiting between them, then the visitor is shown another way. */
const waitsMs = [1_000, 3_000, 8_000];

/** What may go better in a moment. Wrong answers and masked errors will not. */
const passing: readonly (string | null)[] = ['UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED'];

/**
 * The token did not pass, and the server keeps nothing of it. It says so with RATE_LIMITED where others at the same
 * address have sent it much junk; a token that passes is taken all the same.
 */
const tokenRefused: readonly (string | null)[] = ['BOT_CHECK_FAILED', 'RATE_LIMITED'];

export interface SendParts {
  tokens: Tokens;
  post: (entries: readonly Entry[], token: string) => Promise<PostOutcome>;
  wait: (ms: number) => Promise<void>;
}

/**
 * Sends the answers, quietly trying again while that may help. Every try has the same token, so that a request whose
 * reply was lost is kept once and acknowledged with its first receipt; a token that is refused is replaced once.
 *
 * @throws {SendFailure}
 */
export async function sendForm(
  name: FormName,
  entries: readonly Entry[],
  { tokens, post, wait }: SendParts,
): Promise<Receipt> {
  const failed = ({ code, cause }: PostFailure): SendFailure =>
    Object.assign(new Error(submitFailures[name], { cause }), { code });
  let renewed = false;

  async function tryOnce(): Promise<PostOutcome> {
    let token: string;
    try {
      token = await tokens.get();
    } catch (cause) {
      console.error('Error generating reCAPTCHA token', cause);
      return { ok: false, code: 'UNREACHABLE', cause };
    }
    const outcome = await post(entries, token).catch(
      (cause: unknown): PostOutcome => ({ ok: false, code: 'UNREACHABLE', cause }),
    );
    if (outcome.ok || renewed || !tokenRefused.includes(outcome.code)) return outcome;
    renewed = true;
    tokens.discard();
    return tryOnce();
  }

  for (let tries = 0; ; tries++) {
    const outcome = await tryOnce();
    if (outcome.ok) {
      tokens.discard();
      return outcome.receipt;
    }
    const pause = waitsMs[tries];
    if (pause === undefined || !passing.includes(outcome.code)) throw failed(outcome);
    await wait(pause);
  }
}

import type { Entry } from '../../../model/answers.ts';
import type { FormName } from '../../../model/form-field.ts';
import type { Receipt } from '../../../model/operations.ts';
import { failure, type PostFailure, type PostOutcome } from './calls.ts';
import { backOnline } from './resume-online.ts';
import type { Tokens } from './tokens.ts';
import { withTimeout } from './with-timeout.ts';

export const submitFailures = {
  help: 'Could not submit get help request',
  contact: 'Could not submit contact request',
} as const satisfies Record<FormName, string>;

/** Says the words of the catalogue, why the last try failed, which token it had, if any, and when it must be over. */
export type SendFailure = Error & Pick<PostFailure, 'code'> & { token: string | null; until: number };

/** Four tries with about 12 s of waiting between them, then the visitor is shown another way. */
const waitsMs = [1_000, 3_000, 8_000];

/** Offline it is tried now and then all the same, because a browser can be wrong about that. */
const offlineMs = 8_000;

/** Over everything that sending is, from the press on: whoever looks at "Sending…" is waiting to know. */
export const sendingMs = 90_000;

/** What may go better in a moment. Wrong answers and masked errors will not. */
const passing: readonly (string | null)[] = ['UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED'];

/**
 * The token did not pass, and the server keeps nothing of it. It says so with RATE_LIMITED where others at the same
 * address have sent it much junk; a token that passes is taken all the same.
 */
const tokenRefused: readonly (string | null)[] = ['BOT_CHECK_FAILED', 'RATE_LIMITED'];

export interface SendParts {
  tokens: Tokens;
  /** @param leftMs no reply that comes later will be waited for. */
  post: (entries: readonly Entry[], token: string, leftMs: number) => Promise<PostOutcome>;
  wait: (ms: number) => Promise<void>;
  /** False once the visitor has left the form: then it is not tried again when the network is back. */
  wanted: () => boolean;
  /** When it must be over, by the clock of `now`. */
  until: number;
  now?: () => number;
}

/**
 * Sends the answers, quietly trying again while that may help. Every try has the same token, so that a request whose
 * reply was lost is kept once and acknowledged with its first receipt; a token that is refused is replaced once.
 *
 * While the browser is offline no try counts. Back online, all tries and the whole time begin again.
 *
 * @throws {SendFailure}
 */
export async function sendForm(
  name: FormName,
  entries: readonly Entry[],
  { tokens, post, wait, wanted, until, now = Date.now }: SendParts,
): Promise<Receipt> {
  let token: string | null = null;
  let renewed = false;

  async function tryOnce(): Promise<PostOutcome> {
    token = null;
    try {
      token = await withTimeout(until - now(), () => tokens.get());
    } catch (cause) {
      console.error('Error generating reCAPTCHA token', cause);
      return failure(cause);
    }
    const outcome = await post(entries, token, until - now());
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
    const { code, cause } = outcome;
    const failed = Object.assign(new Error(submitFailures[name], { cause }), { code, token, until });
    const offline = !navigator.onLine;
    if (offline) tries = -1;
    // What is gone gets a second look, because a site that is just being started anew has nothing for a moment. Offline
    // a part of the script may be out of reach, and is not gone.
    const again = passing.includes(code) || (code === 'PERMANENT' && tries <= 0);
    const pause = offline ? offlineMs : waitsMs[tries];
    if (!again || pause === undefined || now() + pause >= until) throw failed;
    await Promise.race([wait(pause), backOnline()]);
    if (offline) {
      if (!wanted()) throw failed;
      if (navigator.onLine) until = now() + sendingMs;
    }
  }
}

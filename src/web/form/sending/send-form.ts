import type { Entry } from '../../../model/answers.ts';
import type { FormName } from '../../../model/form-field.ts';
import type { Receipt } from '../../../model/operations.ts';
import { withTimeout } from '../../with-timeout.ts';
import { failure, type PostFailure, type PostOutcome } from './calls.ts';
import { backOnline } from './resume-online.ts';
import type { Tokens } from './tokens.ts';

const submitFailures = {
  help: 'Could not submit get help request',
  contact: 'Could not submit contact request',
} as const satisfies Record<FormName, string>;

/** Why the last attempt failed, its token (if any), and the deadline. */
export type SendFailure = Error & Pick<PostFailure, 'code'> & { token: string | null; deadline: number };

/** Four attempts with 12 s of waiting in all, then the visitor is shown another way to reach the trust. */
const waitsMs = [1_000, 3_000, 8_000];

/** Between attempts while the browser says it is offline, because it can be wrong. */
const offlineMs = 8_000;

/** For the whole submission, from the press of Send to the receipt or the failure. */
export const sendingMs = 90_000;

/** Failures worth a retry. Wrong answers and masked errors would fail again. */
const retryable: readonly (string | null)[] = ['UNREACHABLE', 'UNAVAILABLE', 'RATE_LIMITED'];

/**
 * The token was refused, and nothing was stored. The server says RATE_LIMITED instead where much junk has come from this
 * IP address; a valid token is accepted even then.
 */
const tokenRefused: readonly (string | null)[] = ['BOT_CHECK_FAILED', 'RATE_LIMITED'];

interface SendParts {
  tokens: Tokens;
  /** @param remainingMs until the deadline. */
  post: (entries: readonly Entry[], token: string, remainingMs: number) => Promise<PostOutcome>;
  wait: (ms: number) => Promise<void>;
  /** False once the visitor has left the form: back online, the form is then not sent. */
  wanted: () => boolean;
  /** The deadline, by the clock of `now`. */
  deadline: number;
  now?: () => number;
}

/**
 * Sends the answers, with retries. Every attempt has the same token, so that a request whose reply was lost is stored once
 * and acknowledged with its first receipt. A refused token is replaced once.
 *
 * While the browser is offline no attempt counts. Back online, the attempts and the deadline start again.
 *
 * @throws {SendFailure}
 */
export async function sendForm(
  name: FormName,
  entries: readonly Entry[],
  { tokens, post, wait, wanted, deadline, now = Date.now }: SendParts,
): Promise<Receipt> {
  let token: string | null = null;
  let renewed = false;

  async function tryOnce(): Promise<PostOutcome> {
    token = null;
    try {
      token = await withTimeout(deadline - now(), () => tokens.get());
    } catch (cause) {
      console.error('Error generating reCAPTCHA token', cause);
      return failure(cause);
    }
    const outcome = await post(entries, token, deadline - now());
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
    const failed = Object.assign(new Error(submitFailures[name], { cause }), { code, token, deadline });
    const offline = !navigator.onLine;
    if (offline) tries = -1;
    // A permanent failure gets one retry, because a server that is just restarting may respond with 404. Offline, a chunk of
    // the script may be out of reach without being gone.
    const again = retryable.includes(code) || (code === 'PERMANENT' && tries <= 0);
    const pause = offline ? offlineMs : waitsMs[tries];
    if (!again || pause === undefined || now() + pause >= deadline) throw failed;
    await Promise.race([wait(pause), backOnline()]);
    if (offline) {
      if (!wanted()) throw failed;
      if (navigator.onLine) deadline = now() + sendingMs;
    }
  }
}

import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';

/**
 * Posts the solution of a challenge, or null: without TLS, for example, browsers have no `crypto.subtle`. The caller sets the
 * timeout.
 */
self.onmessage = async ({ data }: MessageEvent<Challenge>) => {
  self.postMessage(await solveChallenge({ challenge: data, deriveKey }).catch(() => null));
};

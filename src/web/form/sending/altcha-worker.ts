import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';

/**
 * Tries counters until the challenge is met. Whoever started this worker bounds its time, and is told where there is no
 * solution, as on a site without TLS, where browsers have no `crypto.subtle`.
 */
self.onmessage = async ({ data }: MessageEvent<Challenge>) => {
  self.postMessage(await solveChallenge({ challenge: data, deriveKey }).catch(() => null));
};

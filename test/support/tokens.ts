import { type Challenge, createChallenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { altchaSecrets } from '../../src/server/bot-check/altcha.ts';

/** The secret of every server the tests start. */
export const testSecret = 'a secret that only the tests know, and long enough';

/** Does what a visitor's browser does with a challenge. */
export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return writeToken({ challenge, solution });
}

/** Decodes and encodes a token, for tests that change one. */
export const readToken = (token: string) => JSON.parse(Buffer.from(token, 'base64').toString());
export const writeToken = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');

interface Variation {
  action?: string;
  expiresAt?: Date;
  secret?: string;
}

/** A solved challenge that costs next to nothing, for tests that need thousands. */
export async function mintToken({
  action = 'submit',
  expiresAt = new Date(Date.now() + 3_600_000),
  secret = testSecret,
}: Variation = {}): Promise<string> {
  const challenge = await createChallenge({
    ...altchaSecrets(secret),
    algorithm: 'PBKDF2/SHA-256',
    cost: 1,
    counter: 0,
    deriveKey,
    expiresAt,
    data: { action },
  });
  return solve(challenge);
}

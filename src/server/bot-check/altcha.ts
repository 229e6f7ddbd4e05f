import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { type Challenge, createChallenge, randomInt } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { botCheckAction } from '../../model/bot-check-client.ts';
import { type AltchaToken, readAltchaToken } from './altcha-token.ts';
import type { BotCheck } from './bot-check.ts';

/**
 * Self-hosted proof of work: nothing about the visitor goes to a third party. The browser tries counters from 0
 * until it meets the one we picked: `counter` derivations of `cost` rounds each. docs/decisions/0006 has the
 * time that takes on a slow phone.
 */
export const work = {
  algorithm: 'PBKDF2/SHA-256',
  cost: 2_000,
  counter: { from: 60, to: 180 },
  /** For an address that asks for more than people need. In tries, since the server makes one whatever the number. */
  hardFactor: 4,
} as const;

/** Long enough for someone who is interrupted between opening the form and sending it. */
const lifetimeMs = 60 * 60 * 1000;

/** One secret for each of the two signatures. */
export function altchaSecrets(secret: string) {
  const derive = (label: string) => createHmac('sha256', secret).update(label).digest('hex');
  return {
    hmacSignatureSecret: derive('altcha challenge'),
    // With the derived key signed too, a check costs two HMACs instead of a key derivation.
    hmacKeySignatureSecret: derive('altcha key'),
  };
}

/**
 * The library makes the challenges. What comes back is checked here, as the library would, because its way to the two
 * HMACs (Web Crypto, with a key that is read in anew for each) costs more than all the rest of a submission.
 * A test has it look at the same tokens: docs/decisions/0087.
 */
function createVerifier(secret: string): (token: AltchaToken) => boolean {
  const { hmacSignatureSecret, hmacKeySignatureSecret } = altchaSecrets(secret);
  const signing = (key: string) => {
    const keyObject = createSecretKey(key, 'utf8');
    return (signed: string | Buffer, signature: string) => {
      const expected = createHmac('sha256', keyObject).update(signed).digest('hex');
      return timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
    };
  };
  const isOurs = signing(hmacSignatureSecret);
  const isSolution = signing(hmacKeySignatureSecret);
  return ({ signed, signature, keySignature, derivedKey }) =>
    isOurs(signed, signature) && isSolution(Buffer.from(derivedKey, 'hex'), keySignature);
}

export interface Altcha extends BotCheck {
  createChallenge(options?: { hard?: boolean }): Promise<Challenge>;
}

export function createAltcha(secret: string, now: () => Date = () => new Date()): Altcha {
  const secrets = altchaSecrets(secret);
  const isEarned = createVerifier(secret);

  return {
    description: 'ALTCHA, self-hosted',
    client: { kind: 'altcha', challengePath: '/bot-check/challenge' },

    // The signature covers a random nonce, so it names the challenge whatever else the token says around it.
    identify: (token) => readAltchaToken(token)?.signature ?? null,

    createChallenge({ hard = false } = {}) {
      const times = hard ? work.hardFactor : 1;
      return createChallenge({
        ...secrets,
        algorithm: work.algorithm,
        cost: work.cost,
        counter: randomInt(times * work.counter.to, times * work.counter.from),
        deriveKey,
        expiresAt: new Date(now().getTime() + lifetimeMs),
        data: { action: botCheckAction },
      });
    },

    async verify(token) {
      const read = readAltchaToken(token);
      if (read === null) return { ok: false, reason: 'malformed' };
      if (read.action !== botCheckAction) return { ok: false, reason: 'elsewhere' };
      if (read.expiresAt * 1000 < now().getTime()) return { ok: false, reason: 'expired' };
      return isEarned(read) ? { ok: true, verdict: { kind: 'clean' } } : { ok: false, reason: 'forged' };
    },
  };
}

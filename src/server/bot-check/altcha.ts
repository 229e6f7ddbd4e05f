import { createHmac } from 'node:crypto';
import { type Challenge, createChallenge, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Payload } from 'altcha-lib/types';
import { botCheckAction } from '../../model/bot-check-client.ts';
import type { BotCheck } from './bot-check.ts';

/**
 * Self-hosted proof of work: nothing about the visitor goes to a third party. The browser tries counters from 0
 * until it meets the one that the server picked: `counter` derivations of `cost` rounds each. docs/decisions/0006 has the
 * time that takes on a slow phone.
 */
const work = {
  algorithm: 'PBKDF2/SHA-256',
  cost: 2_000,
  counter: { from: 60, to: 180 },
  /** A client that asks for more challenges than people need has this many times the work. The server's share is the same. */
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

interface Altcha extends BotCheck {
  createChallenge(options?: { hard?: boolean }): Promise<Challenge>;
  /** Signs new challenges with this secret, which several servers share. Earlier challenges stay valid. */
  setSecret(secret: string): void;
}

export function createAltcha(secret: string): Altcha {
  let current = altchaSecrets(secret);
  const all = new Map([[secret, current]]);

  return {
    description: 'ALTCHA, self-hosted',
    client: { kind: 'altcha', challengePath: '/bot-check/challenge' },

    // The signature covers a random nonce, so it identifies the challenge, whatever else is in the token.
    identify: (token) => readToken(token)?.challenge.signature ?? null,

    createChallenge({ hard = false } = {}) {
      const times = hard ? work.hardFactor : 1;
      return createChallenge({
        ...current,
        algorithm: work.algorithm,
        cost: work.cost,
        counter: randomInt(times * work.counter.to, times * work.counter.from),
        deriveKey,
        expiresAt: new Date(Date.now() + lifetimeMs),
        data: { action: botCheckAction },
      });
    },

    async verify(token) {
      const payload = readToken(token);
      if (payload === null) return { ok: false, reason: 'malformed' };
      if (payload.challenge.parameters.data?.action !== botCheckAction)
        return { ok: false, reason: 'elsewhere' };
      for (const secrets of all.values()) {
        // It throws where a token has something of another type.
        const result = await verifySolution({ ...payload, ...secrets, deriveKey }).catch(() => null);
        if (result?.verified) return { ok: true, verdict: { kind: 'clean' } };
        if (result?.expired) return { ok: false, reason: 'expired' };
      }
      return { ok: false, reason: 'forged' };
    },

    setSecret(shared) {
      current = altchaSecrets(shared);
      all.set(shared, current);
    },
  };
}

/** An HMAC in one spelling only: another spelling would be another token with the same challenge. */
const signaturePattern = /^[0-9a-f]{64}$/;

/** Null where the token cannot be one of ours. The library verifies what is in it. */
function readToken(token: string): Payload | null {
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
    const { parameters, signature } = challenge;
    const isComplete = typeof signature === 'string' && signaturePattern.test(signature) && parameters;
    return isComplete ? { challenge: { parameters, signature }, solution } : null;
  } catch {
    return null;
  }
}

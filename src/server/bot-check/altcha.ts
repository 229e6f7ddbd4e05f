import { createHmac } from 'node:crypto';
import { type Challenge, createChallenge, type Payload, randomInt, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import { botCheckAction } from '../../model/bot-check.ts';
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

const payloadSchema = z.object({
  challenge: z.object({
    parameters: z.looseObject({ expiresAt: z.number(), data: z.object({ action: z.string() }) }),
    signature: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

function parseToken(token: string): Payload | null {
  try {
    const result = payloadSchema.safeParse(JSON.parse(Buffer.from(token, 'base64').toString('utf8')));
    return result.success ? (result.data as unknown as Payload) : null;
  } catch {
    return null;
  }
}

/** One secret for each of the two signatures. */
export function altchaSecrets(secret: string) {
  const derive = (label: string) => createHmac('sha256', secret).update(label).digest('hex');
  return {
    hmacSignatureSecret: derive('altcha challenge'),
    // With the derived key signed too, a check costs two HMACs instead of a key derivation.
    hmacKeySignatureSecret: derive('altcha key'),
  };
}

export interface Altcha extends BotCheck {
  createChallenge(options?: { hard?: boolean }): Promise<Challenge>;
}

export function createAltcha(secret: string, now: () => Date = () => new Date()): Altcha {
  const secrets = altchaSecrets(secret);

  return {
    description: 'ALTCHA, self-hosted',
    client: { kind: 'altcha', challengePath: '/bot-check/challenge' },

    // The signature covers a random nonce, so it names the challenge whatever else the token says around it.
    identify: (token) => parseToken(token)?.challenge.signature ?? null,

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
      const payload = parseToken(token);
      if (payload?.challenge.parameters.data?.action !== botCheckAction) return { ok: false };
      // The library compares with the machine's clock; ours is the one that made the challenge.
      if ((payload.challenge.parameters.expiresAt ?? 0) * 1000 < now().getTime()) return { ok: false };
      const { verified } = await verifySolution({ ...secrets, ...payload, deriveKey });
      return verified ? { ok: true, verdict: { kind: 'clean' } } : { ok: false };
    },
  };
}

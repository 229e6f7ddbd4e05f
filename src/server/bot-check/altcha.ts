import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { type Challenge, createChallenge, randomInt } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
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
  /** Times new challenges with this secret, which several servers share. Earlier challenges stay valid. */
  setSecret(secret: string): void;
}

export function createAltcha(secret: string, now: () => Date = () => new Date()): Altcha {
  let current = secret;
  const verifiers = new Map([[secret, createVerifier(secret)]]);

  return {
    description: 'ALTCHA, self-hosted',
    client: { kind: 'altcha', challengePath: '/bot-check/challenge' },

    // The signature covers a random nonce, so it identifies the challenge, whatever else is in the token.
    identify: (token) => readToken(token)?.signature ?? null,

    createChallenge({ hard = false } = {}) {
      const times = hard ? work.hardFactor : 1;
      return createChallenge({
        ...altchaSecrets(current),
        algorithm: work.algorithm,
        cost: work.cost,
        counter: randomInt(times * work.counter.to, times * work.counter.from),
        deriveKey,
        expiresAt: new Date(now().getTime() + lifetimeMs),
        data: { action: botCheckAction },
      });
    },

    async verify(token) {
      const read = readToken(token);
      if (read === null) return { ok: false, reason: 'malformed' };
      if (read.action !== botCheckAction) return { ok: false, reason: 'elsewhere' };
      if (read.expiresAt * 1000 < now().getTime()) return { ok: false, reason: 'expired' };
      const isSolved = [...verifiers.values()].some((verify) => verify(read));
      return isSolved ? { ok: true, verdict: { kind: 'clean' } } : { ok: false, reason: 'forged' };
    },

    setSecret(shared) {
      current = shared;
      verifiers.set(shared, verifiers.get(shared) ?? createVerifier(shared));
    },
  };
}

/**
 * The library makes the challenges. Tokens are verified here, because the library computes the two HMACs through Web Crypto
 * and imports a key for each, which costs more than all the rest of a submission (docs/decisions/0087).
 * altcha-verdicts.test.ts shows that both come to the same verdicts.
 */
function createVerifier(secret: string): (token: AltchaToken) => boolean {
  const { hmacSignatureSecret, hmacKeySignatureSecret } = altchaSecrets(secret);
  const signatureCheck = (key: string) => {
    const keyObject = createSecretKey(key, 'utf8');
    return (signed: string | Buffer, signature: string) => {
      const expected = createHmac('sha256', keyObject).update(signed).digest('hex');
      return timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
    };
  };
  const isOurs = signatureCheck(hmacSignatureSecret);
  const isSolution = signatureCheck(hmacKeySignatureSecret);
  return ({ signed, signature, keySignature, derivedKey }) =>
    isOurs(signed, signature) && isSolution(Buffer.from(derivedKey, 'hex'), keySignature);
}

/** The parts of a token that are needed to verify it. Their types are right; nothing else is known of them yet. */
interface AltchaToken {
  action: string;
  /** Seconds since 1970. */
  expiresAt: number;
  /** The challenge, serialised as it was when it was signed. */
  signed: string;
  signature: string;
  keySignature: string;
  derivedKey: string;
}

/** An HMAC in one spelling only: another spelling would be another token with the same challenge. */
const hmacPattern = /^[0-9a-f]{64}$/;
const hexPattern = /^(?:[0-9a-f]{2})+$/;
/** A browser counts in 32 bits. */
const isCounter = (value: number) => value >>> 0 === value;
const isText = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value);
const countKeys = (value: object) => Object.keys(value).length;

/** A submission calls `identify` and then `verify` with the same token, which is parsed once for both. */
let lastParsed: { token: string; read: AltchaToken | null } = { token: '', read: null };

/** Null where the token cannot be one of ours. */
function readToken(token: string): AltchaToken | null {
  if (token !== lastParsed.token) lastParsed = { token, read: parseToken(token) };
  return lastParsed.read;
}

function parseToken(token: string): AltchaToken | null {
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
    const { signature, parameters } = challenge;
    const { algorithm, cost, data, expiresAt, keyLength, keyPrefix, keySignature, nonce, salt } = parameters;
    const { action } = data;
    const { counter, derivedKey } = solution;
    const isComplete =
      typeof action === 'string' &&
      typeof expiresAt === 'number' &&
      isText(signature, hmacPattern) &&
      isText(keySignature, hmacPattern) &&
      isText(derivedKey, hexPattern) &&
      isCounter(counter) &&
      // Any further parameter was not signed.
      countKeys(parameters) === 9 &&
      countKeys(data) === 1;
    if (!isComplete) return null;
    // In alphabetical order, as the library serialises the parameters before it signs them.
    const given = { algorithm, cost, data, expiresAt, keyLength, keyPrefix, keySignature, nonce, salt };
    return { action, expiresAt, signed: JSON.stringify(given), signature, keySignature, derivedKey };
  } catch {
    return null;
  }
}

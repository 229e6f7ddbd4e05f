/** What of a token the check needs: all of it is of the right kind, and none of it is believed yet. */
export interface AltchaToken {
  action: string;
  /** Seconds since 1970. */
  expiresAt: number;
  /** The challenge, written down as it was when it was signed. */
  signed: string;
  signature: string;
  keySignature: string;
  derivedKey: string;
}

/** An HMAC in the one way of writing it: another would be another token with the same challenge in it. */
const hmac = /^[0-9a-f]{64}$/;
const bytes = /^(?:[0-9a-f]{2})+$/;
/** A browser counts in 32 bits. */
const isCounter = (value: number) => value >>> 0 === value;
const count = (value: object) => Object.keys(value).length;

/** Null where it cannot be one of ours. */
export function readAltchaToken(token: string): AltchaToken | null {
  if (token !== last.token) last = { token, read: read(token) };
  return last.read;
}

/** Whoever sends a form is asked who they are first, and then for the work, with the same token: it is read once. */
let last: { token: string; read: AltchaToken | null } = { token: '', read: null };

function read(token: string): AltchaToken | null {
  try {
    const { challenge, solution } = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
    const { signature, parameters } = challenge;
    const { algorithm, cost, data, expiresAt, keyLength, keyPrefix, keySignature, nonce, salt } = parameters;
    const { action } = data;
    const { counter, derivedKey } = solution;
    const isWhole =
      typeof action === 'string' &&
      typeof expiresAt === 'number' &&
      isText(signature, hmac) &&
      isText(keySignature, hmac) &&
      isText(derivedKey, bytes) &&
      isCounter(counter) &&
      // What is more than that was not signed.
      count(parameters) === 9 &&
      count(data) === 1;
    if (!isWhole) return null;
    // By the alphabet, as the library does before it signs: whatever order they came in.
    const given = { algorithm, cost, data, expiresAt, keyLength, keyPrefix, keySignature, nonce, salt };
    return { action, expiresAt, signed: JSON.stringify(given), signature, keySignature, derivedKey };
  } catch {
    return null;
  }
}

const isText = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value);

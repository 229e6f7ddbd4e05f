import { createHash } from 'node:crypto';
import { z } from 'zod';
import { botCheckAction } from '../../model/bot-check-client.ts';
import type { BotCheck, BotCheckResult, TokenFault } from './bot-check.ts';

/** Google's own default. Below it a request is stored and flagged. */
const threshold = 0.5;

/** A visitor waits meanwhile, so a slow response counts as none. */
const timeoutMs = 3_000;

/**
 * Google's tokens have about 2,000 letters, digits, - and _. The other characters that need no escape in a URL are allowed
 * too, in case Google begins to use them. Any other token is refused without asking Google.
 */
const tokenPattern = /^[A-Za-z0-9._~-]{1,8192}$/;

/** A verified token is cached this long, because Google accepts a token once and a phone may have to resend the form. */
const cacheMs = 5 * 60 * 1000;
const cacheSize = 10_000;

const responseSchema = z.object({
  success: z.boolean(),
  score: z.number().optional(),
  action: z.string().optional(),
  hostname: z.string().optional(),
  'error-codes': z.array(z.string()).default([]),
});

/** Codes that blame the token. Any other code blames our keys or Google, which is no reason to refuse a person. */
const faultsByCode: Record<string, TokenFault> = {
  'missing-input-response': 'malformed',
  'invalid-input-response': 'forged',
  'timeout-or-duplicate': 'expired',
};

interface RecaptchaOptions {
  siteKey: string;
  secretKey: string;
  /** The service's base URL. */
  url: string;
  /** The host the visitor must have been on. */
  hostname: string;
  /** Called when Google could not be asked, with the reason. */
  onUnverified: (reason: string) => void;
}

export function createRecaptcha({
  siteKey,
  secretKey,
  url,
  hostname,
  onUnverified,
}: RecaptchaOptions): BotCheck {
  const cached = new Map<string, { result: BotCheckResult; expiresAt: number }>();

  async function askGoogle(token: string): Promise<BotCheckResult> {
    const unverified = (reason: string): BotCheckResult => {
      onUnverified(reason);
      return { ok: true, verdict: { kind: 'unverified' } };
    };
    let result: z.output<typeof responseSchema>;
    try {
      const response = await fetch(`${url}/recaptcha/api/siteverify`, {
        method: 'POST',
        body: new URLSearchParams({ secret: secretKey, response: token }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) return unverified(`HTTP ${response.status}`);
      result = responseSchema.parse(await response.json());
    } catch (error) {
      return unverified((error as Error).name);
    }
    if (!result.success) {
      const codes = result['error-codes'];
      const reason = codes.map((code) => faultsByCode[code]).find((fault) => fault !== undefined);
      return reason ? { ok: false, reason } : unverified(codes.join(' '));
    }
    if (result.action !== botCheckAction || result.hostname !== hostname)
      return { ok: false, reason: 'elsewhere' };
    const score = result.score ?? 0;
    return { ok: true, verdict: score < threshold ? { kind: 'low-score', score } : { kind: 'clean' } };
  }

  return {
    description: 'reCAPTCHA v3',
    client: { kind: 'recaptcha', siteKey, url },
    identify: (token) => (tokenPattern.test(token) ? token : null),
    async verify(token) {
      if (!tokenPattern.test(token)) return { ok: false, reason: 'malformed' };
      // The hash takes 43 bytes instead of 2,000.
      const key = createHash('sha256').update(token).digest('base64url');
      const known = cached.get(key);
      if (known && known.expiresAt > Date.now()) return known.result;
      const result = await askGoogle(token);
      if (result.ok) {
        const oldest = cached.keys().next();
        if (cached.size >= cacheSize && !oldest.done) cached.delete(oldest.value);
        cached.set(key, { result, expiresAt: Date.now() + cacheMs });
      }
      return result;
    },
  };
}

import type { BotCheckClient } from '../../../model/bot-check-client.ts';
import { usePageData } from '../../page-data-context.ts';
import { PermanentError } from './permanent-error.ts';
import { obtainAltchaToken } from './solve-altcha.ts';
import { createTokenCache } from './token-cache.ts';

export interface Tokens {
  /** Starts what can be done ahead of Send in the background. Never throws. */
  prepare(): void;
  /** The cached token, or a new one. */
  get(): Promise<string>;
  /** Called when the token was spent or refused. */
  discard(): void;
}

/** The server accepts a solved challenge for 60 minutes, and Google a token for 2. Renewed a little earlier. */
const altchaMs = 50 * 60 * 1000;
const recaptchaMs = 100 * 1000;

function createTokens(client: BotCheckClient): Tokens {
  if (client.kind === 'recaptcha') {
    const recaptcha = () => import('./recaptcha-token.ts');
    const cache = createTokenCache(async () => {
      try {
        return await (await recaptcha()).obtainRecaptchaToken(client);
      } catch (cause) {
        // A blocker of Google's script blocks the next attempt too.
        throw new PermanentError(String(cause));
      }
    }, recaptchaMs);
    // The token expires too soon to be obtained ahead of Send, so only the script is loaded.
    const prepare = async () => (await recaptcha()).loadRecaptcha(client);
    return { ...cache, prepare: () => void prepare().catch(() => {}) };
  }
  const cache = createTokenCache(() => obtainAltchaToken(client.challengePath), altchaMs);
  // In a task of its own: a tap that moves the focus is painted before the challenge is asked for.
  return { ...cache, prepare: () => void setTimeout(() => cache.get().catch(() => {})) };
}

let tokens: Tokens | null = null;

/** One source for the whole visit: a challenge solved for one form may be spent on the other. */
export function useTokens(): Tokens {
  const { botCheck } = usePageData();
  if (import.meta.env.SSR) return { prepare() {}, discard() {}, get: () => new Promise(() => {}) };
  tokens ??= createTokens(botCheck);
  return tokens;
}

import type { BotCheckClient } from '../../../model/bot-check-client.ts';
import { usePageData } from '../../page-data-context.ts';
import { PermanentError } from './permanent-error.ts';
import { obtainAltchaToken } from './solve-altcha.ts';
import { createTokenCache } from './token-cache.ts';

/** Where a form's bot-check tokens come from. */
export interface Tokens {
  /** Starts in the background whatever can be started, so that nobody waits for it at the end. Never throws. */
  prepare(): void;
  /** The token in hand, or a new one where there is none or it has grown old. */
  get(): Promise<string>;
  /** It was spent or refused: the next is a new one. */
  discard(): void;
}

/** The server takes a solved challenge for 60 minutes, and Google its tokens for 2: replaced a little earlier. */
const altchaMs = 50 * 60 * 1000;
const recaptchaMs = 100 * 1000;

function createTokens(client: BotCheckClient): Tokens {
  if (client.kind === 'recaptcha') {
    const recaptcha = () => import('./recaptcha-token.ts');
    const cache = createTokenCache(async () => {
      try {
        return await (await recaptcha()).obtainRecaptchaToken(client);
      } catch (cause) {
        // Many block Google's script, and what is blocked stays so.
        throw new PermanentError(String(cause));
      }
    }, recaptchaMs);
    // Such a token lives too briefly to be had ahead of time; its script does not.
    const prepare = async () => (await recaptcha()).loadRecaptcha(client);
    return { ...cache, prepare: () => void prepare().catch(() => {}) };
  }
  const cache = createTokenCache(() => obtainAltchaToken(client.challengePath), altchaMs);
  return { ...cache, prepare: () => void cache.get().catch(() => {}) };
}

let tokens: Tokens | null = null;

/** One source for the whole visit: a challenge solved for one form may be spent on the other. */
export function useTokens(): Tokens {
  const { botCheck } = usePageData();
  if (import.meta.env.SSR) return { prepare() {}, discard() {}, get: () => new Promise(() => {}) };
  tokens ??= createTokens(botCheck);
  return tokens;
}

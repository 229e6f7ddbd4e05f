import { usePageData } from '../../page-data-context.ts';
import { createTokens, type Tokens } from './tokens.ts';

let tokens: Tokens | null = null;

/** One supply for the visit: what was solved for one form may be spent on the other. */
export function useTokens(): Tokens {
  const { botCheck } = usePageData();
  if (import.meta.env.SSR) return { prepare() {}, discard() {}, get: () => new Promise(() => {}) };
  tokens ??= createTokens(botCheck);
  return tokens;
}

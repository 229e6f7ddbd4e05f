import type { BotCheckClient } from '../../model/bot-check-client.ts';
import type { BotVerdict } from '../../model/bot-verdict.ts';

/** Why a token is refused, for the log and the figures. The sender is told only that it was. */
export const tokenFaults = [
  /** No token of this kind can look like it. */
  'malformed',
  'expired',
  /** Not solved, not signed by us, or not known to Google. */
  'forged',
  /** Made for another action or another site. */
  'elsewhere',
  /** Used before, with other answers. */
  'spent',
] as const;
export type TokenFault = (typeof tokenFaults)[number];

export type BotCheckResult = { ok: true; verdict: BotVerdict } | { ok: false; reason: TokenFault };

export interface BotCheck {
  /** What is in use, in words for the person who runs the site. */
  readonly description: string;
  /** What the browser must know to obtain a token. */
  readonly client: BotCheckClient;
  /**
   * What makes a token the same token, however it is written down. Null when it cannot be one of ours.
   * Two encodings of one solved challenge must have one identity, or it could be spent twice.
   */
  identify(token: string): string | null;
  verify(token: string): Promise<BotCheckResult>;
  /** Makes a challenge for a browser to solve, where this check works that way. A hard one takes the browser longer. */
  createChallenge?(options?: { hard?: boolean }): Promise<object>;
}

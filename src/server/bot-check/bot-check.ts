import type { BotCheckClient } from '../../model/bot-check-client.ts';
import type { BotVerdict } from '../../model/bot-verdict.ts';

/** Why a token is refused, for the log and metrics. The client is told only that the token was refused. */
export const tokenFaults = [
  /** Not the shape of a token. */
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
  /** For the person who runs the site. */
  readonly description: string;
  /** What the browser needs to obtain a token. */
  readonly client: BotCheckClient;
  /**
   * The identity of a token: the same for every encoding of one solved challenge, so that no challenge is used twice. Null
   * where the token cannot be valid.
   */
  identify(token: string): string | null;
  verify(token: string): Promise<BotCheckResult>;
  /** A challenge for the browser to solve, where the check has one. A hard one takes the browser longer. */
  createChallenge?(options?: { hard?: boolean }): Promise<object>;
}

import type { BotCheckClient } from '../../model/bot-check-client.ts';

/** What the check thinks of whoever sent the form. Only a wrong token is refused; doubt is passed on to staff. */
export type BotVerdict =
  | { kind: 'clean' }
  /** The service gave a low score, from 0 (a bot) to 1 (a person). */
  | { kind: 'low-score'; score: number }
  /** The service could not be asked, so nothing is known. */
  | { kind: 'unverified' }
  /** The check passed, but more came from that address than people send. */
  | { kind: 'many' }
  /** The browser posted the form by itself, so there was no check; with what else speaks for a program. */
  | { kind: 'no-script'; doubts: Doubt[] };

export type Doubt =
  /** A field that people do not see was filled in. */
  | 'trap'
  /** It came back within a second or two of being sent out. */
  | 'quick'
  /** The page is more than a day old. */
  | 'old'
  /** It does not say when it was sent out, or not in our hand. */
  | 'undated'
  /** More came without a script than people send, from that address or in all. */
  | 'many';

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

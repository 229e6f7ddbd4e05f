/** What the bot check thinks of a form's sender. Only a wrong token is refused; a doubt is passed on to staff. */
export type BotVerdict =
  | { kind: 'clean' }
  /** The service gave a low score, from 0 (a bot) to 1 (a person). */
  | { kind: 'low-score'; score: number }
  /** The service could not be asked, so nothing is known. */
  | { kind: 'unverified' }
  /** The check passed, but more forms came from that address than people send. */
  | { kind: 'many' }
  /** The browser posted the form without a script, so there was no check; the doubts are the other signs of a program. */
  | { kind: 'no-script'; doubts: Doubt[] };

export type Doubt =
  /** A field that people do not see was filled in. */
  | 'trap'
  /** The page is more than a day old. */
  | 'old'
  /** The form carries no time of serving, or one without our signature. */
  | 'undated'
  /** More forms came without a script than people send, from that address or in total. */
  | 'many';

/** A program may have sent it. */
export const isDoubtful = ({ kind }: BotVerdict): boolean => kind !== 'clean';

/** It filled in the field that people do not see. */
export const isTrapped = (verdict: BotVerdict): boolean =>
  verdict.kind === 'no-script' && verdict.doubts.includes('trap');

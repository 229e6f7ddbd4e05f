/** What a bot-check token is asked for: one action, the same for both forms. */
export const botCheckAction = 'submit';

/** What the browser must know to obtain a token. */
export type BotCheckClient =
  | { kind: 'altcha'; challengePath: string }
  | { kind: 'recaptcha'; siteKey: string; url: string };

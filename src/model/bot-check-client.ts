/** The action of a bot-check token, the same for both forms. */
export const botCheckAction = 'submit';

/** What the browser needs to obtain a token. */
export type BotCheckClient =
  | { kind: 'altcha'; challengePath: string }
  | { kind: 'recaptcha'; siteKey: string; url: string };

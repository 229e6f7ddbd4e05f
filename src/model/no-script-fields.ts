/** The fields of a natively submitted form besides its answers. With hyphens, which no question's key has. */
export const noScriptFields = {
  /** When the server sent the page, signed. */
  sentOut: 'sent-out',
  /** Hidden from people; programs fill it in. */
  trap: 'web-site',
  /** A bot-check token, where the script had one and could not send the form. */
  token: 'bot-check',
  /** Sent by the button of a language, which sends nothing to the trust: the response is the form in that language. */
  switchTo: 'switch-to',
} as const;

/** For the `form` attribute of fields outside the form. */
export const formId = 'form';

/**
 * What a form that the browser posts by itself brings along beside its answers. With hyphens, which no question's key
 * has.
 */
export const noScriptFields = {
  /** When the page was sent out, signed by the server. */
  sentOut: 'sent-out',
  /** People do not see it; programs fill it in. */
  trap: 'web-site',
  /** A bot-check token, where the script had one and could not send the form itself. */
  token: 'bot-check',
} as const;

/** The form's id: what stands outside of it and belongs to it says so by this. */
export const formId = 'form';

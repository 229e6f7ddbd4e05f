import { callSecretUrl } from '../../hardening/call-secret-url.ts';

/** ALERT_URL, ALERT_BODY and ALERT_HEADERS. */
export interface AlertSettings {
  url: string;
  body: 'json' | 'text';
  headers: readonly (readonly [name: string, value: string])[];
}

export interface AlertMessage {
  /** Missing where the message is about no single request. */
  reference?: string;
  text: string;
}

/** Resolves to null, or to what went wrong as a code. Never rejects. */
export type PostAlert = (message: AlertMessage) => Promise<string | null>;

/** A receiver that takes longer counts as failed. Shorter than the lease of an alert. */
const longestMs = 10_000;

export function createPostAlert({ url, body, headers }: AlertSettings, timeoutMs = longestMs): PostAlert {
  return (message) => {
    const written = writeAlert(message, body);
    return callSecretUrl(url, {
      method: 'POST',
      headers: [
        ...headers.map(([name, value]): [string, string] => [name, value]),
        ['content-type', written.type],
      ],
      body: written.body,
      signal: AbortSignal.timeout(timeoutMs),
    });
  };
}

export function writeAlert({ reference, text }: AlertMessage, body: AlertSettings['body']) {
  return body === 'text'
    ? { type: 'text/plain; charset=utf-8', body: text }
    : { type: 'application/json', body: JSON.stringify({ reference, urgent: true, text }) };
}

/** Has the references and nothing else of the requests. Several are one alert, with the reference of the oldest. */
export function describeAlert(references: readonly string[], escalated: boolean): AlertMessage {
  const [reference = '', ...others] = references;
  const which = others.length === 0 ? reference : `${reference} and ${others.length} more`;
  const what = others.length === 0 ? 'an urgent request' : `${references.length} urgent requests`;
  const text = escalated
    ? `Nobody has taken ${what} yet: ${which}`
    : `${what[0]?.toUpperCase()}${what.slice(1)} came in: ${which}`;
  return { reference, text };
}

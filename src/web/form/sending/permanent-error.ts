/**
 * The script cannot do its work: what it needs is gone from the server, or does not run in this browser. Trying again
 * will not help, but the browser's own way to send a form may.
 */
export class PermanentError extends Error {}

/** 5xx and 429 will pass, and are the site's own or a proxy's word for it. Anything else that is not ours will not. */
export function responseError(what: string, status: number): Error {
  const words = `${what} was answered with ${status}`;
  return status >= 500 || status === 429 ? new Error(words) : new PermanentError(words);
}

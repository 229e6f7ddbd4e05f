/** A file is gone from the server, or cannot run in this browser. A retry will not help, but a native submit may. */
export class PermanentError extends Error {}

/** 5xx and 429 pass with time. Any other unexpected status is permanent. */
export function responseError(what: string, status: number): Error {
  const words = `${what} was answered with ${status}`;
  return status >= 500 || status === 429 ? new Error(words) : new PermanentError(words);
}

/**
 * Requests a URL that is itself a secret: redirects are not followed, because a token would go along, and the response is not
 * read. Resolves to null where the response was 2xx, otherwise to a code that can be logged.
 */
export async function callSecretUrl(url: string, request: RequestInit): Promise<string | null> {
  try {
    const response = await fetch(url, { ...request, redirect: 'manual' });
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    return connectionProblem(error);
  }
}

/** Only the code: the message of such an error quotes the URL. */
export function connectionProblem(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  const code = cause?.code;
  if (typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code)) return code;
  return name === 'TimeoutError' || name === 'AbortError' ? 'no answer in time' : 'no connection';
}

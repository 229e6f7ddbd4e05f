/** Why a sealed text does not open, in words for the person with the key. */

/** For a text that is no valid identity file. */
export function describeBadIdentity(text: string): string {
  if (/^\s*AGE-SECRET-KEY-/im.test(text))
    return 'The private key has a typing mistake, or part of it is missing. Copy the whole line that begins with AGE-SECRET-KEY-1 again.';
  if (/^\s*age1/m.test(text))
    return 'That is the public half of a key. The private half begins with AGE-SECRET-KEY-1.';
  return 'That is no private key. It should have a line that begins with AGE-SECRET-KEY-1.';
}

/** Whether opening failed because the key, though valid, is not one of the recipients. */
export const isOtherKey = (error: unknown): boolean =>
  // The library's errors have no codes.
  error instanceof Error && error.message.startsWith('no identity matched');

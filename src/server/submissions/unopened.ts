/** Why something sealed does not open, for whoever has the key in hand: what they must do differs. */

/** Of the text of an identity file that could not be taken as one. */
export function describeBadIdentity(text: string): string {
  if (/^\s*AGE-SECRET-KEY-/im.test(text))
    return 'The private key has a typing mistake, or part of it is missing. Copy the whole line that begins with AGE-SECRET-KEY-1 again.';
  if (/^\s*age1/m.test(text))
    return 'That is the public half of a key. The private half begins with AGE-SECRET-KEY-1.';
  return 'That is no private key. It should have a line that begins with AGE-SECRET-KEY-1.';
}

/** Of an error of opening: whether the key is a proper one, but another than the one it was sealed to. */
export const isOtherKey = (error: unknown): boolean =>
  // The library gives its errors no names.
  error instanceof Error && error.message.startsWith('no identity matched');

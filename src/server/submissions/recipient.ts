import { createRequire } from 'node:module';

/**
 * A typing mistake in a recipient shows in its checksum. The library is loaded only where somebody seals: it is a sixth
 * of what a start costs, and half of a command's.
 */
export function isRecipient(text: string): boolean {
  const { Encrypter } = createRequire(import.meta.url)('age-encryption') as typeof import('age-encryption');
  try {
    new Encrypter().addRecipient(text);
    return /^age1[a-z0-9]+$/.test(text);
  } catch {
    return false;
  }
}

import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Entry } from '../../model/answers.ts';
import type { SealedAnswers } from './stored-submission.ts';

/** Answers are sealed with age (age-encryption.org): to the public half, and opened only with the private one. */

export type Seal = (answers: Entry[]) => Promise<SealedAnswers>;
/** @throws where none of the identities is one it was sealed to, or where it was changed since. */
export type Unseal = (answers: SealedAnswers) => Promise<Entry[]>;

/** A typing mistake in a recipient shows in its checksum. */
export function isRecipient(text: string): boolean {
  try {
    new Encrypter().addRecipient(text);
    return /^age1[a-z0-9]+$/.test(text);
  } catch {
    return false;
  }
}

export function createSeal(recipients: readonly string[]): Seal {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  // Indented, because it may be opened with any age tool and read as it is.
  return async (answers) => ({
    sealed: armor.encode(await encrypter.encrypt(JSON.stringify(answers, null, 2))),
  });
}

/** Takes the text of an identity file: one private key a line, and lines that begin with # for people. */
export function createUnseal(identityFile: string): Unseal {
  const identities = identityFile
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (identities.length === 0) throw new Error('There is no private key in the identity file');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return async ({ sealed }) => JSON.parse(await decrypter.decrypt(armor.decode(sealed), 'text')) as Entry[];
}

export async function generateKeyPair(): Promise<{ identity: string; recipient: string }> {
  // X25519 and not the post-quantum kind, whose public half has about 2,000 characters: too many for a setting.
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

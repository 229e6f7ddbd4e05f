import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Entry } from '../../model/answers.ts';
import type { BotVerdict } from '../../model/bot-verdict.ts';
import type { Definition, FormName } from '../../model/form-field.ts';
import type { SealedAnswers } from '../store/contract/submission.ts';

/** Answers are sealed with age (age-encryption.org): encrypted to a public key, and opened only with the private key. */

export type Seal = (answers: Entry[], about?: AboutAnswers) => Promise<SealedAnswers>;

/** The context of the answers, for a person who opens the sealed text alone. The language is stored nowhere else. */
export interface AboutAnswers {
  form: FormName;
  receivedAt: string;
  urgent: boolean;
  verdict: BotVerdict;
  definition: Definition;
  /** The tag of the translation in which the form was read; null for the original. Older versions have none. */
  language?: string | null;
}

export interface Opened {
  answers: Entry[];
  /** Null where an older version sealed the answers. */
  about: AboutAnswers | null;
}

/**
 * `AboutAnswers` is the last entry, with a key that no question can have: readers that look answers up by key, such as
 * older versions, ignore it.
 */
const aboutKey = '$about';

export function createSeal(recipients: readonly string[]): Seal {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  // Indented, because people may decrypt the text with any age tool and read the JSON.
  return async (answers, about) => {
    const sealed = about ? [...answers, { key: aboutKey, value: about }] : answers;
    return { sealed: armor.encode(await encrypter.encrypt(JSON.stringify(sealed, null, 2))) };
  };
}

/** From the text of an identity file: one private key a line, and comments after #. */
export function createDecrypter(identityFile: string): Decrypter {
  const identities = identityFile
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (identities.length === 0) throw new Error('There is no private key in the identity file');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  return decrypter;
}

/**
 * Opens a sealed file, armoured or binary.
 *
 * @throws where no identity matches a recipient, or where the sealed text was changed.
 */
export function createOpen(identityFile: string): (file: string | Uint8Array) => Promise<Opened> {
  const decrypter = createDecrypter(identityFile);
  return async (file) => {
    const bytes = typeof file === 'string' ? armor.decode(file) : file;
    const all = JSON.parse(await decrypter.decrypt(bytes, 'text')) as (Entry & { value: unknown })[];
    return {
      answers: all.filter(({ key }) => key !== aboutKey),
      about: (all.find(({ key }) => key === aboutKey)?.value as AboutAnswers | undefined) ?? null,
    };
  };
}

export async function generateKeyPair(): Promise<{ identity: string; recipient: string }> {
  // X25519, because a post-quantum public key has about 2,000 characters, too many for a setting.
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { Entry } from '../../model/answers.ts';
import type { BotVerdict } from '../../model/bot-verdict.ts';
import type { Definition, FormName } from '../../model/form-field.ts';
import type { SealedAnswers } from '../store/contract/submission.ts';

/** Answers are sealed with age (age-encryption.org): to the public half, and opened only with the private one. */

export type Seal = (answers: Entry[], about?: AboutAnswers) => Promise<SealedAnswers>;
/** @throws where none of the identities is one it was sealed to, or where it was changed since. */
export type Unseal = (answers: SealedAnswers) => Promise<Entry[]>;

/** What the answers are answers to, for whoever opens them with nothing else at hand. None of it is a secret. */
export interface AboutAnswers {
  form: FormName;
  receivedAt: string;
  urgent: boolean;
  verdict: BotVerdict;
  definition: Definition;
}

export interface Opened {
  answers: Entry[];
  /** Null where it was sealed by a version that did not say. */
  about: AboutAnswers | null;
}

/**
 * It travels as one more entry, last, under a key that no question can have: whatever reads answers by their keys, such as
 * the version before, passes over it.
 */
const aboutKey = '$about';

export function createSeal(recipients: readonly string[]): Seal {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  // Indented, because it may be opened with any age tool and read as it is.
  return async (answers, about) => {
    const sealed = about ? [...answers, { key: aboutKey, value: about }] : answers;
    return { sealed: armor.encode(await encrypter.encrypt(JSON.stringify(sealed, null, 2))) };
  };
}

/** Takes the text of an identity file: one private key a line, and lines that begin with # for people. */
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

/** Opens a sealed file as it is, in armour or not. */
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

export function createUnseal(identityFile: string): Unseal {
  const open = createOpen(identityFile);
  return async ({ sealed }) => (await open(sealed)).answers;
}

export async function generateKeyPair(): Promise<{ identity: string; recipient: string }> {
  // X25519 and not the post-quantum kind, whose public half has about 2,000 characters: too many for a setting.
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

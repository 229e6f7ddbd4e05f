import PostalMime from 'postal-mime';
import type { Entry } from '../../../model/answers.ts';
import type { FormField } from '../../../model/form-field.ts';
import { formNames } from '../../../model/form-field.ts';
import { guessType } from '../../../model/server-field-types.ts';
import { unknownForm } from '../../../model/server-forms.ts';
import { notFollowedUp, type StoredSubmission } from '../../store/contract/submission.ts';
import type { AboutAnswers, Opened } from '../../submissions/seal.ts';
import { type WholeLetter, writeLetter } from './submission-letter.ts';

/** Opens what staff have on their own computer: a sealed attachment, its mail, or text copied from either. */

export interface SealedPart {
  /** Null where the file does not name one. */
  reference: string | null;
  /** Armoured text, or bytes. */
  file: string | Uint8Array;
}

const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} AGE ENCRYPTED FILE-----`) as [
  string,
  string,
];
const ageFileBeginning = 'age-encryption.org/v1';
const referencePattern = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/;

/** Every sealed part of a file. `name` is the name of the file, where there is one. */
export async function findSealed(bytes: Uint8Array, name = ''): Promise<SealedPart[]> {
  const reference = referencePattern.exec(name)?.[0] ?? null;
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith(ageFileBeginning)) return [{ reference, file: bytes }];
  if (isMail(text, name)) {
    const { attachments } = await PostalMime.parse(bytes);
    const found = attachments.map(({ filename, content }) => findSealed(asBytes(content), filename ?? ''));
    return (await Promise.all(found)).flat();
  }
  return findInJson(text) ?? findArmoured(text, reference);
}

const isMail = (text: string, name: string) => /\.eml$/i.test(name) || /^MIME-Version:/im.test(text);

const asBytes = (content: string | ArrayBuffer | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);

/** Several parts one after the other, as in a digest, each below its reference. */
function findArmoured(text: string, reference: string | null): SealedPart[] {
  const parts: SealedPart[] = [];
  let block: string[] | null = null;
  let above = reference;
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    if (line === begin) block = [];
    block?.push(line);
    if (line === end && block) {
      parts.push({ reference: above, file: block.join('\n') });
      block = null;
    } else if (!block) above = referencePattern.exec(line)?.[0] ?? above;
  }
  return parts;
}

/** The output of `awhina show --json`. */
function findInJson(text: string): SealedPart[] | null {
  try {
    const found = [JSON.parse(text)].flat() as Partial<Record<'reference' | 'sealed', unknown>>[];
    return found.flatMap(({ reference = null, sealed }) =>
      typeof sealed === 'string' ? [{ reference: reference as string | null, file: sealed }] : [],
    );
  } catch {
    return null;
  }
}

/** The letter that staff would have got without the seal. */
export function writeOpened({ answers, about }: Opened, reference: string | null): WholeLetter {
  const known = isComplete(about) ? about : null;
  const receivedAt = new Date(known?.receivedAt ?? 0);
  const submission: StoredSubmission = {
    id: 0,
    reference: reference ?? '',
    form: known?.form ?? unknownForm,
    definition: known?.definition ?? answers.map(guessField),
    answers,
    verdict: known?.verdict ?? { kind: 'clean' },
    receivedAt,
    language: known?.language ?? null,
    delivery: {
      urgent: known?.urgent ?? false,
      attempts: 0,
      nextAttemptAt: receivedAt,
      deliveredAt: null,
      parkedAt: null,
      lastError: null,
    },
    followUp: notFollowedUp,
  };
  const letter = writeLetter(submission, submission.form);
  const missingFacts =
    'It does not say when it was sent nor how the questions were put: those are in its mail.';
  return {
    ...letter,
    facts: letter.facts.filter(([label]) => (label === 'Reference' ? reference !== null : known !== null)),
    notes: known ? letter.notes : [missingFacts, ...letter.notes],
  };
}

/** Checks the parts that the letter needs, because anybody who has the public key can seal anything. */
function isComplete(about: AboutAnswers | null): about is AboutAnswers {
  return (
    about !== null &&
    formNames.includes(about.form) &&
    !Number.isNaN(Date.parse(about.receivedAt)) &&
    typeof (about.language ?? '') === 'string' &&
    typeof about.verdict?.kind === 'string' &&
    (about.verdict.kind !== 'no-script' || Array.isArray(about.verdict.doubts)) &&
    Array.isArray(about.definition) &&
    about.definition.every(
      ({ key, displayName, description }) =>
        typeof key === 'string' && typeof displayName === 'string' && typeof description === 'string',
    )
  );
}

function guessField({ key, value }: Entry): FormField {
  const question = { key, displayName: key, description: key, required: false };
  return { ...question, type: guessType(value), choices: value } as FormField;
}

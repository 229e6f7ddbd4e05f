import { createHmac, timingSafeEqual } from 'node:crypto';
import { formNames } from '../../model/form-field.ts';
import type { ReadLetter } from '../store/contract/times.ts';

/** 128 bits. Hexadecimal, because a mail program that finds a link in plain text may leave out a '-' or '_' at its end. */
const keyLength = 32;
const staffPath = '/staff';

/** `isForOthers`: a press by this link does not show that anybody reads the mailbox. */
export interface StaffPath {
  reference: string;
  isForOthers: boolean;
}

/**
 * The keys of the pages for staff, two for each request, made from its reference and the site's secret. They are stored
 * nowhere: only whoever has the mail has the key.
 */
export function createStaffKeys(secret: string) {
  const deriveFrom = (from: string) => createHmac('sha256', from).update('staff page').digest();
  let current = deriveFrom(secret);
  const known = [current];

  const sign = (by: Buffer, reference: string) =>
    createHmac('sha256', by).update(reference).digest('hex').slice(0, keyLength);
  const isKeyOf = (of: string, key: string) =>
    known.some((by) => timingSafeEqual(Buffer.from(sign(by, of)), Buffer.from(key)));

  return {
    /** The path of the page, with its key. */
    pathFor: (reference: string): string => `${staffPath}/${reference}/${sign(current, reference)}`,
    /** The same page, in a mail to people other than those of the mailbox. */
    pathForOthers: (reference: string): string =>
      `${staffPath}/${reference}/${sign(current, forOthers(reference))}`,
    /** What follows `/staff/`. Null where the key is not a key of this reference. */
    readPath(rest: string): StaffPath | null {
      const match = /^([0-9A-Z]{4}-[0-9A-Z]{4})\/([0-9a-f]{32})\/?$/.exec(rest);
      if (!match) return null;
      const [, reference = '', key = ''] = match;
      const isForOthers = isKeyOf(forOthers(reference), key);
      return isForOthers || isKeyOf(reference, key) ? { reference, isForOthers } : null;
    },
    /** The path of the page that the link in a letter opens. */
    pathForLetter: (letter: ReadLetter): string =>
      `${staffPath}/letter/${nameInPath(letter)}/${sign(current, signedName(letter))}`,
    /** The letter in what follows `/staff/letter/`. Null if the key is not the key of that letter to one of the mailboxes. */
    readLetterPath(rest: string): ReadLetter | null {
      const match = /^(?:(\d{4}-\d\d-\d\d)|test-([0-9a-f]{16}))\/([0-9a-f]{32})\/?$/.exec(rest);
      if (!match) return null;
      const [, day = '', test, key = ''] = match;
      const letters = test ? [{ test }] : formNames.map((form) => ({ day, form }));
      return letters.find((letter) => isKeyOf(signedName(letter), key)) ?? null;
    },
    /** Signs with this secret, which several servers share. Keys that were made with an earlier one stay valid. */
    setSecret(shared: string): void {
      current = deriveFrom(shared);
      if (!known.some((one) => one.equals(current))) known.push(current);
    },
  };
}

/** Unlike any reference, and the name of any letter. */
const forOthers = (reference: string) => `others ${reference}`;
const nameInPath = (letter: ReadLetter) => ('test' in letter ? `test-${letter.test}` : letter.day);
/** Unlike any reference. Of the Monday letter the mailbox is part of it, and not of the address. */
const signedName = (letter: ReadLetter) =>
  `letter ${nameInPath(letter)}${'form' in letter ? ` ${letter.form}` : ''}`;

export type StaffKeys = ReturnType<typeof createStaffKeys>;

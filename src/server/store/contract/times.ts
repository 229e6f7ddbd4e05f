import type { FormName } from '../../../model/form-field.ts';

/** When something last happened, for all servers: such as the last sign that a mail reached a person. */
export interface Times {
  recordTime(name: string, at: Date): Promise<void>;
  /** Null if it never happened. */
  findTime(name: string): Promise<Date | null>;
}

/** A mail that asks for one press, so that the website knows that somebody reads it. */
export type ReadLetter =
  /** The letter of that Monday, to the mailbox whose first form this is. */
  { day: string; form: FormName } | { test: string };

/** A press in a Monday letter, or on the page of a request of this form, shows that a person reads its mailbox. */
export const mailboxSign = (form: FormName): string => `mailbox ${form}`;

const testPrefix = 'test mail ';
/** Presses in tests are forgotten a day later: nobody waits for them any more. */
export const oldTests = { like: `${testPrefix}%`, afterMs: 24 * 3_600_000 };

export const signOf = (letter: ReadLetter): string =>
  'test' in letter ? testPrefix + letter.test : mailboxSign(letter.form);

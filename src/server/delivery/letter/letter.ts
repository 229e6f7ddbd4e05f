import type { Step } from '../../../model/staff-page.ts';

/** What a mail says, before it is rendered as text, as HTML or on a terminal. */
export interface Letter {
  title: string;
  /** What nobody may miss, above everything else, in this order. */
  banners?: readonly Banner[];
  facts?: [label: string, value: string][];
  /** What to do before anything below is quoted. */
  beforeAnswers?: string | undefined;
  /** The answers that were given, the message first. */
  answers?: readonly LetterAnswer[];
  /** The questions without an answer, on one line. */
  unanswered?: string;
  notes?: readonly string[];
  /** Where staff say that they are on it, below everything else. */
  link?: { label: string; url: string } | undefined;
}

export interface LetterAnswer {
  question: string;
  answer: string;
  warning?: string | undefined;
  /** No mail program shall make a link of a number or an address in it: nobody may use them. */
  unlinked?: boolean;
  /** The tag of the language of the page, where the visitor wrote freely. */
  lang?: string | undefined;
}

/**
 * What a banner is for. Only `stop` is red, and `stop` is only for a person who must not be contacted: staff stop
 * seeing a colour that is in every mail.
 */
export type Tone = 'stop' | 'caution' | 'urgent' | 'someoneElse' | 'go' | 'well';

export interface Banner {
  tone: Tone;
  /** The sentence to see first. */
  shout: string;
  lines: readonly Line[];
}

/**
 * `contactDetail` and `wrote` are the visitor's own words, and look different from ours. A `contactDetail` is what staff
 * need to reach the person: a number, an address, or the times at which that is safe. `lang` is the language of the page.
 * `isForTexts`: a number that nobody may call. A `limit` to what staff may do is never smaller than the number below it.
 * `steps` are what to do in this order.
 */
export type Line =
  | string
  | { bold: string }
  | { limit: string }
  | { steps: readonly Step[] }
  | { contactDetail: string; lang?: string | undefined; isForTexts?: boolean }
  | { wrote: string; lang?: string | undefined };

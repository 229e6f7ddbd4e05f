import type { Phrase } from './phrase.ts';

/** The content of helplines.yaml. */
export interface Helplines {
  /** The day the numbers were last checked, as YYYY-MM-DD, or 'never'. */
  checked: string;
  heading: Phrase;
  danger: {
    message: Phrase;
    phone: string;
    /** How to call without speaking. */
    silent: Phrase;
  };
  /** The labels of links, with {number}. */
  call: Phrase;
  text: Phrase;
  /** The label of a chat, and below it that it leads to another site. */
  chat: Phrase;
  elsewhere: Phrase;
  /** The label that unfolds all lines after the first two. */
  more: Phrase;
  /** The link past the helplines to the form. */
  toForm: Phrase;
  /** What a line is for, and its hours, as a sentence: with {words}. */
  sentence: Phrase;
  /** The first two are shown unfolded. */
  lines: Helpline[];
}

export interface Helpline {
  name: Phrase;
  for: Phrase;
  hours?: Phrase | undefined;
  phone?: string | undefined;
  text?: string | undefined;
  /** Answers everyone, day and night: shown after an urgent choice. At most one line has it. */
  always?: boolean | undefined;
  /** Tags of the languages whose speakers the line is for: it comes first on their pages. */
  languages?: string[] | undefined;
  /** The page on which people write to the line, without https://. */
  chat?: string | undefined;
  /** Without https://. */
  url?: string | undefined;
}

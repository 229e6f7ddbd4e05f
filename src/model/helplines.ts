import type { Phrase } from './phrase.ts';

/** What helplines.yaml says: where help is right now. */
export interface Helplines {
  /** The day the numbers were last tried, as YYYY-MM-DD, or 'never'. */
  checked: string;
  heading: Phrase;
  danger: {
    message: Phrase;
    phone: string;
    /** How to call without a word. */
    silent: Phrase;
  };
  /** The links' words, with {number}. */
  call: Phrase;
  text: Phrase;
  /** What opens all lines but the first two. */
  more: Phrase;
  /** For whoever has read enough and would rather write. */
  toForm: Phrase;
  /** The two that are seen at once come first. */
  lines: Helpline[];
}

export interface Helpline {
  name: Phrase;
  for: Phrase;
  hours?: Phrase | undefined;
  phone?: string | undefined;
  text?: string | undefined;
  /** Answers everyone, day and night: named where somebody makes an urgent choice. One line at most. */
  always?: boolean | undefined;
  /** Where it is found on the web, without https://. */
  url?: string | undefined;
}

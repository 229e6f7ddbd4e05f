/** A sentence of the original that visitors read. */
export interface Sentence {
  /**
   * Where the sentence is: the msgctxt of its translations. What follows a # is the place in a list or a page, and only for
   * the translator: a translation belongs to the context before the # and to the original's words.
   */
  context: string;
  /** The original's words: the msgid. */
  text: string;
  /** For the translator: where it is seen, what its placeholders stand for. */
  note: string;
  /** About danger, helplines, safe contact, privacy or the receipt: a language that lacks it is not offered. */
  isNeeded: boolean;
}

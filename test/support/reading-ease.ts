import { asText, type Glossary, spans } from '../../src/model/phrase.ts';

/** How many years at school a text asks for, by Flesch and Kincaid. Seven is a twelve-year-old, four a nine-year-old. */

/** A name or a number that is filled in counts as one short word, and so does a word of te reo that everyone here knows. */
export const shortenNames = (text: string, glossary: Glossary): string =>
  spans(text.replace(/\{[a-zA-Z]+\}/g, 'it'), glossary)
    .map((span) => (span.lang ? 'it' : asText(span.text)))
    .join('');

export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
}

export const wordsOf = (text: string): string[] => text.match(/[\p{L}\d]+(?:['’-][\p{L}\d]+)*/gu) ?? [];

/** Groups of vowels, without a silent e at the end. Rough, and never off by much over a sentence. */
export function syllablesIn(word: string): number {
  const letters = word
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
    .replace(/^y/, '')
    .replace(/(?<=[^aeiouy])(?:e|(?<![sxz]|[cs]h)es|(?<![dt])ed)$/, (end) =>
      end === 'e' && /[^aeiouy]le$/.test(word) ? 'e' : '',
    );
  return Math.max(1, letters.match(/[aeiouy]{1,2}/g)?.length ?? 1);
}

/** Of one sentence, or of a text by its sentences. */
export function gradeOf(...sentences: string[]): number {
  const words = sentences.flatMap(wordsOf);
  const syllables = words.reduce((sum, word) => sum + syllablesIn(word), 0);
  return 0.39 * (words.length / sentences.length) + 11.8 * (syllables / words.length) - 15.59;
}

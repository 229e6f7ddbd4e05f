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

export interface ReadingBounds {
  /** Years at school, of a text by its sentences. */
  hardestText: number;
  mostWords: number;
}

/** Below this many words the measure says nothing: 'Contact Information' would need a university. */
const fewestWords = 5;

/** The texts that are too hard, each with its grade and the sentence that makes it so, the worst first. */
export function findHardTexts(
  texts: readonly { name: string; text: string }[],
  { hardestText, mostWords }: ReadingBounds,
): string[] {
  return texts
    .flatMap(({ name, text }) => {
      const sentences = sentencesOf(text);
      if (sentences.flatMap(wordsOf).length < fewestWords) return [];
      const long = sentences.filter((sentence) => wordsOf(sentence).length > mostWords);
      const grade = gradeOf(...sentences);
      if (grade <= hardestText && long.length === 0) return [];
      const [worst] = [...long, ...sentences.toSorted((a, b) => gradeOf(b) - gradeOf(a))];
      return [
        { grade, said: `${name}: ${grade.toFixed(1)}, ${wordsOf(worst ?? '').length} words: ${worst}` },
      ];
    })
    .toSorted((a, b) => b.grade - a.grade)
    .map(({ said }) => said);
}

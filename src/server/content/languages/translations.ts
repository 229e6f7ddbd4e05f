import { findSentence } from '../catalogue.ts';
import type { ContentProblem } from '../read-yaml.ts';
import { contextWithoutPlace, isChoice, keyOf } from './gather-sentences.ts';
import { areAlike } from './look-alikes.ts';
import type { PoEntry } from './read-po.ts';
import type { Sentence } from './sentences.ts';
import { findBlockMistake, findMistake } from './translation-mistakes.ts';
import { findNumberMistake } from './translation-numbers.ts';

/** What a file has for the original's sentences. */
export interface Translations {
  /** By key, the translations that can be shown, whether or not somebody has confirmed them. */
  usable: ReadonlyMap<string, string>;
  /** Sentences whose translation is of earlier words. */
  stale: Sentence[];
  problems: ContentProblem[];
}

export function matchTranslations(
  sentences: readonly Sentence[],
  entries: readonly PoEntry[],
  file: string,
): Translations {
  const byKey = new Map(entries.map((entry) => [keyOf(entry.context, entry.original), entry]));
  const byContext = Map.groupBy(entries, ({ context }) => context);
  const usable = new Map<string, string>();
  const problems: ContentProblem[] = [];
  const stale: Sentence[] = [];
  const report = (entry: PoEntry | undefined, { context, text }: Sentence, message: string) =>
    problems.push({ file, line: entry?.line ?? null, message: `“${shorten(text)}” (${context}) ${message}` });
  for (const sentence of sentences) {
    const { context, text } = sentence;
    const key = keyOf(context, text);
    const entry = byKey.get(key);
    const mistake = entry && !entry.isFuzzy && entry.translation.trim() !== '' && findWrong(sentence, entry);
    if (mistake) report(entry, sentence, mistake);
    if (entry && mistake === null) usable.set(key, entry.translation);
    else if (
      entry?.isFuzzy ||
      byContext.get(context)?.some(({ original, translation }) => original !== text && translation)
    )
      stale.push(sentence);
  }
  for (const choices of groupChoices(sentences)) {
    const labels = choices.map(({ context, text }) => usable.get(keyOf(context, text)));
    choices.forEach((choice, index) => {
      const key = keyOf(choice.context, choice.text);
      const label = labels[index];
      const mistake =
        label === undefined
          ? labels.some(Boolean) && byKey.get(key)?.translation.trim() === '' && 'is a choice without words'
          : findWrongLabel(label, index, { labels, choices });
      if (!mistake) return;
      report(byKey.get(key), choice, mistake);
      usable.delete(key);
    });
  }
  return { usable, stale, problems };
}

interface Choices {
  choices: readonly Sentence[];
  labels: readonly (string | undefined)[];
}

/** Any choice may be shown in the original's words, so those of another choice would stand there twice. */
function findWrongLabel(label: string, index: number, { labels, choices }: Choices): string | false {
  if (labels.some((one, other) => other < index && one !== undefined && areAlike(one, label)))
    return 'has the same words as another choice: nobody could tell them apart';
  if (choices.some(({ text }, other) => other !== index && areAlike(text, label)))
    return 'has the words of another choice: people would choose what they do not mean';
  return false;
}

function findWrong({ context, text }: Sentence, { translation }: PoEntry): string | null {
  const isBlock = context.startsWith('page:') && context.includes('#');
  return (
    findMistake(text, translation) ??
    (isBlock ? findBlockMistake(text, translation) : null) ??
    findNumberMistake(text, translation, { isCalled: isCalled(context) })
  );
}

/** Whether people call or press the numbers in the sentence. */
export const isCalled = (context: string): boolean => findSentence(context)?.called === true;

/** The choices of each question. */
const groupChoices = (sentences: readonly Sentence[]): Sentence[][] => [
  ...Map.groupBy(
    sentences.filter(({ context }) => isChoice(context)),
    ({ context }) => contextWithoutPlace(context).replace(/\.choices.*/, ''),
  ).values(),
];

const longest = 40;
const shorten = (text: string) => (text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text);

import type { ContentProblem } from '../read-yaml.ts';
import { contextWithoutPlace, isChoice, keyOf } from './gather-sentences.ts';
import type { PoEntry } from './read-po.ts';
import type { Sentence } from './sentences.ts';
import { findBlockMistake, findMistake, findNumberMistake } from './translation-mistakes.ts';

/** What a file has for the original's sentences. */
export interface Translations {
  /** Undefined where there is no translation that can be shown. */
  find(context: string, text: string): string | undefined;
  translated: number;
  stale: number;
  missing: number;
  /** Sentences on the way of asking for help that have no translation: in all, and those of them that are stale. */
  neededCount: number;
  needed: { missing: Sentence[]; stale: Sentence[] };
  problems: ContentProblem[];
}

export function matchTranslations(
  sentences: readonly Sentence[],
  entries: readonly PoEntry[],
  file: string,
): Translations {
  const byKey = new Map(entries.map((entry) => [keyOf(entry.context, entry.original), entry]));
  const byContext = Map.groupBy(entries, ({ context }) => context);
  const found = new Map<string, string>();
  const problems: ContentProblem[] = [];
  const needed: Translations['needed'] = { missing: [], stale: [] };
  const report = (entry: PoEntry | undefined, { context, text }: Sentence, message: string) =>
    problems.push({ file, line: entry?.line ?? null, message: `“${shorten(text)}” (${context}) ${message}` });
  let stale = 0;
  for (const sentence of sentences) {
    const { context, text, isNeeded } = sentence;
    const key = keyOf(context, text);
    const entry = byKey.get(key);
    const mistake = entry && !entry.isFuzzy && entry.translation.trim() !== '' && findWrong(sentence, entry);
    if (mistake) report(entry, sentence, mistake);
    if (entry && mistake === null) found.set(key, entry.translation);
    else {
      const isStale =
        entry?.isFuzzy ||
        Boolean(
          byContext.get(context)?.some(({ original, translation }) => original !== text && translation),
        );
      if (isStale) stale++;
      if (isNeeded) needed[isStale ? 'stale' : 'missing'].push(sentence);
    }
  }
  const translatedOf = ({ context, text }: Sentence) => found.get(keyOf(context, text));
  for (const choices of groupChoices(sentences)) {
    const labels = choices.map(translatedOf);
    choices.forEach((choice, index) => {
      const entry = byKey.get(keyOf(choice.context, choice.text));
      const label = labels[index];
      if (label !== undefined && labels.indexOf(label) < index) {
        report(entry, choice, `has the same words as another choice: nobody could tell them apart`);
        found.delete(keyOf(choice.context, choice.text));
        if (choice.isNeeded) needed.missing.push(choice);
      } else if (label === undefined && labels.some(Boolean) && entry?.translation.trim() === '')
        report(entry, choice, 'is a choice without words');
    });
  }
  return {
    find: (context, text) => found.get(keyOf(context, text)),
    translated: found.size,
    stale,
    missing: sentences.length - found.size - stale,
    neededCount: sentences.filter(({ isNeeded }) => isNeeded).length,
    needed,
    problems,
  };
}

function findWrong({ context, text }: Sentence, { translation }: PoEntry): string | null {
  const isBlock = context.startsWith('page:') && context.includes('#');
  const isCalled = /^(helplines:|site:form\.receipt\.next\.meanwhile)/.test(context);
  return (
    findMistake(text, translation) ??
    (isBlock ? findBlockMistake(text, translation) : null) ??
    (isCalled ? findNumberMistake(text, translation) : null)
  );
}

/** The choices of each question. */
const groupChoices = (sentences: readonly Sentence[]): Sentence[][] => [
  ...Map.groupBy(
    sentences.filter(({ context }) => isChoice(context)),
    ({ context }) => contextWithoutPlace(context).replace(/\.choices.*/, ''),
  ).values(),
];

const longest = 40;
const shorten = (text: string) => (text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text);

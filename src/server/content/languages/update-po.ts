import { type GetTextTranslation, type GetTextTranslationRecord, po } from 'gettext-parser';
import { findExample } from '../example-words.ts';
import { contextWithoutPlace, keyOf } from './gather-sentences.ts';
import type { Sentence } from './sentences.ts';
import { emptyEntry, writePo } from './write-po.ts';

/** Brings a PO file up to date with the original's sentences, as gettext's `msgmerge --previous` does. */

export interface UpdatedPo {
  text: string;
  /** Sentences that the file did not have, and that nobody has translated. */
  added: number;
  /** Sentences whose original changed: they have the old translation, marked as fuzzy. */
  fuzzy: number;
  /** Sentences that had been set aside, and are back with their translation. */
  returned: number;
  /** Sentences whose translation is the product's. */
  shipped: number;
  /** Translations whose sentence is gone. */
  setAside: number;
}

/**
 * @param source that the reader of PO files has accepted.
 * @param sentences each once: a text that is in a list twice is one sentence.
 * @param shippedSource the product's own file for the language. It has the default words that a new version has changed.
 */
export function updatePo(source: string, sentences: readonly Sentence[], shippedSource = ''): UpdatedPo {
  const { current, aside, compose, isGone } = compare(source, sentences);
  const shipped = readTranslated(shippedSource).entries;
  const chosen = findSameWords(sentences, [...current, ...aside, ...shipped]);
  const isNew = (sentence: Sentence) => !chosen.has(sentence);
  const changed = findEarlierWords(sentences.filter(isNew), current.filter(isGone));
  const added = sentences.filter((sentence) => isNew(sentence) && !changed.has(sentence));
  for (const [sentence, entry] of findEarlierWords(added, aside.filter(isGone))) changed.set(sentence, entry);

  // An entry that was fuzzy before its original changed again goes on as the new entry: nobody has confirmed its words.
  const goesOn = new Set([...changed.values()].filter(isFuzzy));
  const gone = current.filter((entry) => isGone(entry) && !goesOn.has(entry));
  const countFrom = (entries: readonly GetTextTranslation[]) =>
    [...chosen.values()].filter((entry) => entries.includes(entry)).length;
  return {
    text: compose(new Map([...chosen, ...changed]), [...aside.filter(isGone), ...gone]),
    added: added.filter((sentence) => !changed.has(sentence)).length,
    fuzzy: changed.size,
    returned: countFrom(aside),
    shipped: countFrom(shipped),
    setAside: gone.length,
  };
}

/** The file for the site of another trust: the translations that fit its words, and those that may once fit set aside. */
export function adoptPo(source: string, sentences: readonly Sentence[], organisation: string): string {
  const { compose, isGone } = compare(source, sentences);
  const all = readAll(source);
  const isExample = ({ msgid, msgstr }: GetTextTranslation) => [msgid, ...msgstr].some(findExample);
  const gone = all.filter((entry) => isGone(entry) && !isExample(entry));
  return compose(findSameWords(sentences, all), gone, { 'Project-Id-Version': organisation });
}

/** The translations of a file that nobody has marked as fuzzy, also those that are set aside. */
export const readTranslated = (source: string) => ({
  head: po.parse(source).headers,
  entries: readAll(source).filter((entry) => isTranslated(entry) && !isFuzzy(entry)),
});

function readAll(source: string): GetTextTranslation[] {
  const { translations, obsolete } = po.parse(source);
  return [...listEntries(translations), ...listEntries(obsolete)];
}

function compare(source: string, sentences: readonly Sentence[]) {
  const { headers, translations, obsolete } = po.parse(source);
  const wanted = new Set(sentences.map(({ context, text }) => keyOf(context, text)));
  return {
    current: listEntries(translations),
    aside: listEntries(obsolete),
    isGone: (entry: GetTextTranslation) => !wanted.has(keyOfEntry(entry)) && isTranslated(entry),
    /** @param gone a later entry for the same place and words replaces an earlier one. */
    compose(
      found: ReadonlyMap<Sentence, GetTextTranslation>,
      gone: readonly GetTextTranslation[],
      head: Record<string, string> = {},
    ): string {
      const byPlace = new Map(gone.map((entry) => [placeOfEntry(entry), entry]));
      return writePo({
        head: { ...headers, ...head },
        headComments: translations['']?.['']?.comments,
        entries: sentences.map((sentence) => {
          const from = found.get(sentence);
          return from ? takeOver(sentence, from) : emptyEntry(sentence);
        }),
        // Sorted, because the parser gives entries whose words look like numbers before the others.
        obsolete: [...byPlace]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([, entry]) => withoutNotes(entry)),
      });
    },
  };
}

/** For each sentence the first entry with its context and its words that is translated, or else the first. */
function findSameWords(
  sentences: readonly Sentence[],
  entries: readonly GetTextTranslation[],
): Map<Sentence, GetTextTranslation> {
  const known = Map.groupBy(entries, keyOfEntry);
  return new Map(
    sentences.flatMap((sentence) => {
      const same = known.get(keyOf(sentence.context, sentence.text)) ?? [];
      const entry = same.find(isTranslated) ?? same[0];
      return entry ? [[sentence, entry]] : [];
    }),
  );
}

const listEntries = (record: GetTextTranslationRecord = {}): GetTextTranslation[] =>
  Object.values(record)
    .flatMap((entries) => Object.values(entries))
    .filter(({ msgctxt, msgid }) => msgctxt || msgid);

const keyOfEntry = ({ msgctxt = '', msgid }: GetTextTranslation) => keyOf(msgctxt, msgid);
const placeOfEntry = ({ msgctxt = '', msgid }: GetTextTranslation) => `${msgctxt}\u0004${msgid}`;

const isTranslated = ({ msgstr }: GetTextTranslation) => msgstr.some((words) => words !== '');
const flagsOf = ({ comments }: GetTextTranslation) =>
  (comments?.flag ?? '')
    .split(/[,\n]/)
    .map((flag) => flag.trim())
    .filter(Boolean);
const isFuzzy = (entry: GetTextTranslation) => isTranslated(entry) && flagsOf(entry).includes('fuzzy');

/** Entries of other places in a list have at least this in common with the new words. The same as msgmerge's. */
const leastSimilarity = 0.6;

/** For sentences without an entry: the translated entry of the same context whose original most likely became the sentence. */
function findEarlierWords(
  sentences: readonly Sentence[],
  gone: readonly GetTextTranslation[],
): Map<Sentence, GetTextTranslation> {
  const byContext = Map.groupBy(gone, ({ msgctxt = '' }) => contextWithoutPlace(msgctxt));
  const pairs = sentences.flatMap((sentence) =>
    (byContext.get(contextWithoutPlace(sentence.context)) ?? []).map((entry) => ({
      sentence,
      entry,
      isSamePlace: entry.msgctxt === sentence.context,
      similarity: findSimilarity(entry.msgid, sentence.text),
    })),
  );
  const found = new Map<Sentence, GetTextTranslation>();
  const used = new Set<GetTextTranslation>();
  for (const { sentence, entry, isSamePlace, similarity } of pairs.toSorted(
    (a, b) => b.similarity - a.similarity || Number(b.isSamePlace) - Number(a.isSamePlace),
  )) {
    if (found.has(sentence) || used.has(entry) || !(isSamePlace || similarity >= leastSimilarity)) continue;
    found.set(sentence, entry);
    used.add(entry);
  }
  return found;
}

/** The share of words that two texts have in common, from 0 to 1. */
function findSimilarity(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const shared = [...a].filter((word) => b.has(word));
  return (2 * shared.length) / (a.size + b.size || 1);
}
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

function takeOver(sentence: Sentence, from: GetTextTranslation): GetTextTranslation {
  const { translator } = from.comments ?? {};
  const isChanged = from.msgid !== sentence.text;
  const fuzzy = isChanged || isFuzzy(from);
  const previous = (isFuzzy(from) && from.comments?.previous) || (isChanged && `msgid ${quote(from.msgid)}`);
  const flags = [...(fuzzy ? ['fuzzy'] : []), ...flagsOf(from).filter((flag) => flag !== 'fuzzy')];
  return {
    ...emptyEntry(sentence),
    msgstr: from.msgstr.slice(0, 1),
    comments: {
      ...(translator !== undefined && { translator }),
      extracted: sentence.note,
      ...(flags.length > 0 && { flag: flags.join(', ') }),
      ...(fuzzy && previous && { previous }),
    },
  };
}

function quote(text: string): string {
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\' };
  return `"${text.replace(/[\n\r\t"\\]/g, (char) => escapes[char] ?? char)}"`;
}

/** Notes and references are about a place that the sentence no longer has. */
function withoutNotes(entry: GetTextTranslation): GetTextTranslation {
  const { extracted, reference, ...comments } = entry.comments ?? {};
  return { ...entry, comments };
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { po } from 'gettext-parser';
import { composeConfirmation, storeConfirmation } from '../../src/cli/languages/confirm-language.ts';
import { readContent } from '../../src/server/content/content.ts';
import type { Sentence } from '../../src/server/content/languages/sentences.ts';

/** Languages made from the original, to try what a real translation would do to the pages. They are never shipped. */
export const pseudoLanguages = {
  /** Accented, and 40 % longer. */
  'en-XA': { name: 'Åççéñţš', pseudo: accent },
  /** In Arabic letters, from right to left. */
  'ar-XB': { name: 'العربية', pseudo: mirror },
} as const;
export type PseudoTag = keyof typeof pseudoLanguages;

const accents: Record<string, string> = {
  ...{ a: 'áà', e: 'éè', i: 'íì', o: 'óò', u: 'úù', y: 'ý', A: 'ÁÀ', E: 'ÉÈ', I: 'ÍÌ', O: 'ÓÒ', U: 'ÚÙ' },
  ...{ c: 'ç', n: 'ñ', s: 'š', z: 'ž', C: 'Ç', N: 'Ñ', S: 'Š', Z: 'Ž', l: 'ł', t: 'ţ', d: 'ď', r: 'ŕ' },
};
const arabic = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي';

/** Placeholders, the beginnings of marks, addresses, and what separates the two parts of the cover. */
const fixed = /(\{[a-zA-Z]+\}|\{[a-z]{2,3}(?:-\w+)*:|\]\([^)]*\)|[a-z]+(?:\.[a-z]{2,})+| - )/;

const changeWords = (text: string, change: (words: string) => string): string =>
  text
    .split(fixed)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');

export function accent(text: string): string {
  return changeWords(text, (words) => words.replace(/[a-zA-Z]/g, (letter) => accents[letter] ?? letter));
}

export function mirror(text: string): string {
  return changeWords(text, (words) =>
    words.replace(/[a-zA-Z\u00c0-\u024f]/g, (letter) => arabic.charAt(letter.charCodeAt(0) % arabic.length)),
  );
}

interface PoOptions {
  head?: Record<string, string>;
  /** Leaves a sentence out, or gives it other words or another original. */
  change?: (sentence: Sentence, translation: string) => { text?: string; translation: string } | null;
}

export function composePo(
  tag: string,
  sentences: readonly Sentence[],
  translate: (text: string) => string,
  { head = {}, change = (_sentence, translation) => ({ translation }) }: PoOptions = {},
): Buffer {
  const translations: Parameters<typeof po.compile>[0]['translations'] = {};
  for (const sentence of sentences) {
    const { context: msgctxt, text } = sentence;
    const changed = change(sentence, translate(text));
    if (!changed) continue;
    const msgid = changed.text ?? text;
    translations[msgctxt] ??= {};
    translations[msgctxt][msgid] = { msgctxt, msgid, msgstr: [changed.translation] };
  }
  const headers = {
    'Content-Type': 'text/plain; charset=UTF-8',
    Language: tag,
    'X-Name': tag,
    ...head,
  };
  return po.compile({ charset: 'utf-8', headers, translations });
}

/** Says that somebody has read the translations, as `awhina languages confirm` does. */
export async function confirmLanguages(contentDir: string, ...tags: string[]): Promise<void> {
  for (const tag of tags) {
    const { confirmation } = await composeConfirmation(await readContent(contentDir), tag, 'A. Speaker');
    await storeConfirmation(contentDir, tag, confirmation);
  }
}

/** Writes a pseudo-language into the folder of languages, confirmed and whole, for the content that is there. */
export async function writePseudoLanguage(
  contentDir: string,
  tag: PseudoTag,
  options: PoOptions & { isConfirmed?: false } = {},
): Promise<void> {
  const { sentences } = await readContent(contentDir);
  const { name, pseudo } = pseudoLanguages[tag];
  const head = { 'X-Name': name, ...options.head };
  mkdirSync(join(contentDir, 'languages'), { recursive: true });
  writeFileSync(
    join(contentDir, 'languages', `${tag}.po`),
    composePo(tag, sentences, pseudo, { ...options, head }),
  );
  if (options.isConfirmed !== false) await confirmLanguages(contentDir, tag);
}

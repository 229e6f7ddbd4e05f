import type { OwnPage } from '../../../model/own-page.ts';
import { reservedNames } from '../own-pages.ts';
import type { ContentProblem } from '../read-yaml.ts';
import {
  type Confirmations,
  confirmationsFile,
  fingerprintOf,
  nameKey,
  readConfirmations,
} from './confirmations.ts';
import { gatherSentences, keyOf, type Original } from './gather-sentences.ts';
import { languagesFolder, listPoFiles, type PoEntry, type PoFile, readPoFile } from './read-po.ts';
import type { Sentence } from './sentences.ts';
import { readConfirmedShipped, type ShippedLanguage } from './shipped-languages.ts';
import { isCanonicalTag, pageLanguage } from './tags.ts';
import { translateContent } from './translate-content.ts';
import type { LanguageFile } from './translated-content.ts';
import { findMistake } from './translation-mistakes.ts';
import { findNumberMistake } from './translation-numbers.ts';
import { matchTranslations } from './translations.ts';

interface ReadLanguages {
  sentences: Sentence[];
  languages: LanguageFile[];
  languageProblems: ContentProblem[];
}

/** Every file in content/languages. A broken one has its problems with it, and never ends the reading of the content. */
export async function readLanguages(
  contentDir: string,
  original: Original,
  pages: readonly OwnPage[],
): Promise<ReadLanguages> {
  const { names, problems: languageProblems } = await listPoFiles(contentDir);
  const read = await readConfirmations(contentDir);
  if (!read.ok) languageProblems.push(...read.problems);
  const confirmations = read.ok ? read.value : {};
  // A file that was confirmed and is gone takes its language off the site: that is said too.
  const tags = new Set([...names.map((name) => name.replace(/\.po$/, '')), ...Object.keys(confirmations)]);
  const sentences = gatherSentences(original);
  const languages: LanguageFile[] = [];
  for (const tag of [...tags].toSorted()) {
    const file = names.includes(`${tag}.po`) ? await readPoFile(contentDir, `${tag}.po`) : gone(tag);
    const shipped = readConfirmedShipped(`${tag}.po`);
    const confirmation = confirmations[tag] ?? null;
    const checked = confirmation ?? shipped;
    const language = file.ok
      ? readLanguage(tag, file.value, { original, pages, sentences, shipped, confirmation })
      : unusable(tag, sentences, file.problems);
    const wasOffered = checked !== null || !read.ok || (file.ok && saysChecked(file.value.head));
    languages.push({
      ...language,
      checked: checked && { by: checked.by, on: checked.on },
      isWithdrawn: wasOffered && language.notOffered.length > 0,
    });
  }
  return { sentences, languages, languageProblems };
}

const gone = (tag: string) => {
  const message = `is gone: put it back, or delete the lines of ${tag} in ${confirmationsFile}`;
  return { ok: false as const, problems: [{ file: fileOf(tag), line: null, message }] };
};

type ReadLanguage = Omit<LanguageFile, 'checked' | 'isWithdrawn'>;

function unusable(tag: string, sentences: readonly Sentence[], problems: ContentProblem[]): ReadLanguage {
  const [first] = problems;
  return {
    file: fileOf(tag),
    tag,
    name: tag,
    translated: 0,
    stale: 0,
    missing: sentences.length,
    unconfirmed: 0,
    notOffered: first ? [`the file ${first.message}`] : [],
    problems,
    content: null,
  };
}

const fileOf = (tag: string) => `${languagesFolder}/${tag}.po`;

interface LanguageParts {
  original: Original;
  pages: readonly OwnPage[];
  sentences: readonly Sentence[];
  shipped: ShippedLanguage | null;
  confirmation: Confirmations[string] | null;
}

/** The one place that decides whether visitors are offered a language, and in which words. */
function readLanguage(tag: string, { head, entries }: PoFile, parts: LanguageParts): ReadLanguage {
  const { original, pages, sentences, shipped, confirmation } = parts;
  const file = fileOf(tag);
  const headMistakes = checkHead(tag, head, parts);
  const problems: ContentProblem[] = headMistakes.map((message) => ({ file, line: 1, message }));
  const isTag = isCanonicalTag(tag) && !isTaken(tag, parts);
  const name = head.get('x-name')?.slice(0, longestName) || tag;

  const fingerprints = new Set(confirmation?.sentences.split(/\s+/));
  const isConfirmed = (key: string, words: string) =>
    shipped?.words.get(key) === words || fingerprints.has(fingerprintOf(key, words));
  const own = matchTranslations(sentences, entries, file);
  const merged = shipped
    ? matchTranslations(sentences, withShipped(entries, { sentences, shipped, isConfirmed }), file)
    : own;
  problems.push(...own.problems.map((one) => ({ ...one, line: one.line ?? 1 })));
  const shown = new Map([...merged.usable].filter(([key, words]) => isConfirmed(key, words)));

  const lackedBy = (list: readonly Sentence[]) =>
    list.filter(({ context, text, isNeeded }) => isNeeded && !shown.has(keyOf(context, text)));
  const stale = lackedBy(merged.stale);
  const unconfirmed = sentences.filter(({ context, text }) => {
    const key = keyOf(context, text);
    const words = own.usable.get(key);
    return words !== undefined && !isConfirmed(key, words);
  });
  const unread = lackedBy(unconfirmed);
  const missing = lackedBy(sentences).length - stale.length - unread.length;
  const needed = sentences.filter(({ isNeeded }) => isNeeded).length;
  const count = (number: number, what: string) =>
    number > 0
      ? [`${number} of ${needed} sentences about danger, safe contact, privacy and the receipt ${what}`]
      : [];
  const confirm = `awhina languages confirm ${tag} --by NAME`;
  const notOffered = [
    ...headMistakes.map((message) => `its head ${message}`),
    ...count(missing, 'have no translation'),
    ...count(stale.length, `have changed since they were translated: awhina languages update ${tag}`),
    ...(confirmation || shipped
      ? [
          ...count(unread.length, `are not confirmed: ${confirm}`),
          ...(isConfirmed(nameKey, name) ? [] : [`its own name, X-Name, is not confirmed: ${confirm}`]),
        ]
      : [`nobody has confirmed it: ${confirm}`]),
  ];
  const words = notOffered.length === 0 ? shown : merged.usable;
  let content: LanguageFile['content'] = null;
  if (isTag) {
    try {
      const find = (context: string, text: string) => words.get(keyOf(context, text));
      content = translateContent(original, pages, pageLanguage(tag, name), { find });
    } catch (error) {
      problems.push({ file, line: 1, message: `does not fit the content: ${(error as Error).message}` });
      notOffered.push('its words do not fit the content');
    }
  }
  return {
    file,
    tag,
    name,
    translated: merged.usable.size,
    stale: merged.stale.length,
    missing: sentences.length - merged.usable.size - merged.stale.length,
    unconfirmed: unconfirmed.length,
    notOffered,
    problems,
    content,
  };
}

interface StandIn {
  sentences: readonly Sentence[];
  shipped: ShippedLanguage;
  isConfirmed: (key: string, words: string) => boolean;
}

/** The product's words stand in for those that the file lacks, as after an upgrade, and for those that nobody has confirmed. */
function withShipped(entries: readonly PoEntry[], { sentences, shipped, isConfirmed }: StandIn): PoEntry[] {
  const own = new Map(entries.map((entry) => [keyOf(entry.context, entry.original), entry]));
  const taken = sentences.flatMap(({ context, text }) => {
    const key = keyOf(context, text);
    const translation = shipped.words.get(key);
    const entry = own.get(key);
    const isOwn = entry && !entry.isFuzzy && isConfirmed(key, entry.translation);
    if (translation === undefined || isOwn) return [];
    return [{ context, original: text, translation, isFuzzy: false, line: entry?.line ?? null }];
  });
  return [...entries, ...taken];
}

/** Letters. The name is on every page of every language. */
const longestName = 40;

/** What is wrong with the head, as the end of a sentence. */
function checkHead(tag: string, head: PoFile['head'], parts: TakenNames): string[] {
  const found: string[] = [];
  if (!isCanonicalTag(tag))
    found.push(`belongs to a file whose name is no language tag, such as mi.po or zh-Hans.po`);
  else if (isTaken(tag, parts))
    found.push(`belongs to a file whose name is taken: by the original, or by a page`);
  const language = head.get('language')?.replaceAll('_', '-') ?? '';
  if (language.toLowerCase() !== tag.toLowerCase()) found.push(`does not say Language: ${tag}`);
  const name = head.get('x-name');
  if (!name) found.push('does not say what the language calls itself: X-Name');
  else if (name.length > longestName || findMistake('', name) || hasNumber(name))
    found.push(
      `has an X-Name that cannot be shown: up to ${longestName} letters, no digits and nothing else`,
    );
  return found;
}

const hasNumber = (name: string): boolean =>
  /\p{N}/u.test(name) || findNumberMistake('', name, { isCalled: true }) !== null;

/** Until version 1.1 the file itself said who had checked it. */
const saysChecked = (head: PoFile['head']): boolean => Boolean(head.get('x-checked-by')?.trim());

interface TakenNames {
  original: Pick<Original, 'tag'>;
  pages: readonly Pick<OwnPage, 'name'>[];
}

/** Whether the language's address is that of the original's language, or of a page. */
export function isTaken(tag: string, { original, pages }: TakenNames): boolean {
  const name = tag.toLowerCase();
  const pageNames = [...reservedNames, ...pages.map((page) => page.name)];
  return name === original.tag.toLowerCase() || pageNames.includes(name);
}

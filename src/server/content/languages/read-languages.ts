import type { OwnPage } from '../../../model/own-page.ts';
import { reservedNames } from '../own-pages.ts';
import type { ContentProblem } from '../read-yaml.ts';
import { gatherSentences, type Original } from './gather-sentences.ts';
import { languagesFolder, listPoFiles, type PoFile, readPoFile } from './read-po.ts';
import type { Sentence } from './sentences.ts';
import { isCanonicalTag, pageLanguage } from './tags.ts';
import { translateContent } from './translate-content.ts';
import type { LanguageFile } from './translated-content.ts';
import { findMistake } from './translation-mistakes.ts';
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
  const sentences = gatherSentences(original);
  const languages: LanguageFile[] = [];
  for (const name of names) {
    const tag = name.replace(/\.po$/, '');
    const read = await readPoFile(contentDir, name);
    languages.push(
      read.ok
        ? readLanguage(tag, read.value, { original, pages, sentences })
        : unusable(tag, sentences, read.problems),
    );
  }
  return { sentences, languages: languages.toSorted((a, b) => (a.tag < b.tag ? -1 : 1)), languageProblems };
}

function unusable(tag: string, sentences: readonly Sentence[], problems: ContentProblem[]): LanguageFile {
  const [first] = problems;
  return {
    file: fileOf(tag),
    tag,
    name: tag,
    translated: 0,
    stale: 0,
    missing: sentences.length,
    checked: null,
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
}

function readLanguage(tag: string, { head, entries }: PoFile, parts: LanguageParts): LanguageFile {
  const { original, pages, sentences } = parts;
  const file = fileOf(tag);
  const headMistakes = checkHead(tag, head, parts);
  const problems: ContentProblem[] = headMistakes.map((message) => ({ file, line: 1, message }));
  const isTag = isCanonicalTag(tag) && !isTaken(tag, parts);
  const translations = matchTranslations(sentences, entries, file);
  problems.push(...translations.problems.map((one) => ({ ...one, line: one.line ?? 1 })));
  const name = head.get('x-name')?.slice(0, longestName) || tag;
  const checked = readChecked(head);
  let content: LanguageFile['content'] = null;
  if (isTag) {
    try {
      content = translateContent(original, pages, pageLanguage(tag, name), translations);
    } catch (error) {
      problems.push({ file, line: 1, message: `does not fit the content: ${(error as Error).message}` });
    }
  }
  const { missing, stale } = translations.needed;
  const count = (list: readonly Sentence[], what: string) =>
    list.length > 0
      ? [`${list.length} of ${translations.neededCount} sentences on the way of asking for help ${what}`]
      : [];
  return {
    file,
    tag,
    name,
    translated: translations.translated,
    stale: translations.stale,
    missing: translations.missing,
    checked,
    notOffered: [
      ...headMistakes.map((message) => `its head ${message}`),
      ...count(missing, 'have no translation'),
      ...count(stale, 'have changed since they were translated'),
      ...(isTag && !content ? ['its words do not fit the content'] : []),
    ],
    problems,
    content,
  };
}

/** Letters. The name is on every page of every language. */
const longestName = 40;

const notChecked = 'does not say who checked it, and when: X-Checked-By, and X-Checked-On as 2026-11-30';

/** What is wrong with the head, as the end of a sentence. */
function checkHead(tag: string, head: PoFile['head'], parts: LanguageParts): string[] {
  const found: string[] = [];
  if (!isCanonicalTag(tag))
    found.push(`belongs to a file whose name is no language tag, such as mi.po or zh-Hans.po`);
  else if (isTaken(tag, parts))
    found.push(`belongs to a file whose name is taken: by the original, or by a page`);
  const language = head.get('language')?.replaceAll('_', '-') ?? '';
  if (language.toLowerCase() !== tag.toLowerCase()) found.push(`does not say Language: ${tag}`);
  const name = head.get('x-name');
  if (!name) found.push('does not say what the language calls itself: X-Name');
  else if (name.length > longestName || findMistake(name, name))
    found.push(`has an X-Name that cannot be shown: up to ${longestName} letters, and nothing else`);
  if (!readChecked(head)) found.push(notChecked);
  return found;
}

function readChecked(head: PoFile['head']): LanguageFile['checked'] {
  const by = head.get('x-checked-by')?.trim() ?? '';
  const on = head.get('x-checked-on')?.trim() ?? '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(on) && new Date(on).toJSON()?.startsWith(on);
  return by && isDay ? { by, on } : null;
}

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

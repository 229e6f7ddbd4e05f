import type { Content } from '../content.ts';
import type { TranslatedContent } from './translated-content.ts';

export interface ShownLanguage {
  content: TranslatedContent;
  /** It is not offered: only a person who checks the translation sees it. */
  isPreview: boolean;
}

/** The languages that have pages: those that are offered, and those that PREVIEW_LANGUAGES names. */
export function shownLanguages({ languages }: Content, previews: readonly string[]): ShownLanguage[] {
  return languages.flatMap(({ tag, notOffered, content }) => {
    const isPreview = notOffered.length > 0;
    return content && (!isPreview || previews.includes(tag)) ? [{ content, isPreview }] : [];
  });
}

/**
 * The translation with this tag, in large or small letters. Null for any other text: the original is shown, and nothing
 * is refused.
 */
export function findTranslation(
  content: Content,
  previews: readonly string[],
  tag: unknown,
): TranslatedContent | null {
  if (typeof tag !== 'string') return null;
  const isAsked = ({ content: { language } }: ShownLanguage) =>
    language.tag.toLowerCase() === tag.toLowerCase();
  return shownLanguages(content, previews).find(isAsked)?.content ?? null;
}

/**
 * The language of a submission: that of any file, also one that is not shown any more. A trust may have changed a sentence, and
 * so withdrawn the language, while somebody was writing.
 */
export function findLanguageTag({ languages }: Content, tag: unknown): string | null {
  if (typeof tag !== 'string') return null;
  const found = languages.find((one) => one.content && one.tag.toLowerCase() === tag.toLowerCase());
  return found?.tag ?? null;
}

/** The line that nobody may miss: a language is gone from the pages, and nobody was asked. Null while none is. */
export function describeWithdrawn({ languages }: Content): string | null {
  const names = languages.flatMap(({ name, isWithdrawn }) => (isWithdrawn ? [name] : []));
  return names.length > 0 ? `VISITORS NO LONGER SEE: ${names.join(', ')}` : null;
}

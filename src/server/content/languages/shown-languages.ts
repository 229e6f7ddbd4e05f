import type { Content } from '../content.ts';
import type { TranslatedContent } from './translated-content.ts';

interface ShownLanguage {
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

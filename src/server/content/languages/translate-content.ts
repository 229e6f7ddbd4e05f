import type { FormName } from '../../../model/form-field.ts';
import type { PageLanguage } from '../../../model/language.ts';
import { mapValues } from '../../../model/map-values.ts';
import type { OwnPage } from '../../../model/own-page.ts';
import { readArticle } from '../markdown.ts';
import { composePage, type OwnPageSource } from '../own-pages.ts';
import { helplinesSchema } from '../read-helplines.ts';
import { siteSchema } from '../site-schema.ts';
import {
  type Original,
  pageContext,
  pictureContext,
  type Translate,
  translateDefinition,
  translateTree,
} from './gather-sentences.ts';
import type { TranslatedContent, TranslatedForm } from './translated-content.ts';

/** Undefined where there is no translation that can be shown. */
type FindTranslation = (context: string, text: string) => string | undefined;

/**
 * The content in another language: the original's trees with other words, read by the original's schemas, so that every rule
 * for words holds for translations too.
 *
 * @param pages the original's own pages, for what has no words.
 * @throws where the words do not fit together.
 */
export function translateContent(
  original: Original,
  pages: readonly OwnPage[],
  language: PageLanguage,
  { find }: { find: FindTranslation },
): TranslatedContent {
  const translate: Translate = (context, text) => find(context, text) ?? markOriginal(text, original.tag);
  const { site } = siteSchema.parse(translateTree('site', original.site, translate));
  const translateForm = ({ definition }: Original['forms'][FormName], name: FormName): TranslatedForm => ({
    definition: translateDefinition(name, definition, translate),
    problems: { required: site.form.required, tooLong: site.form.tooLong },
  });
  const { [language.tag]: _own, ...otherLanguages } = site.otherLanguages;
  return {
    language,
    site: { ...site, otherLanguages, sectionLinks: sectionLinksOf(site, original) },
    helplines: helplinesSchema.parse(translateTree('helplines', original.helplines, translate)),
    forms: mapValues(original.forms, translateForm),
    ownPages: pages.map((page) => {
      const source = original.ownPages.find(({ name }) => name === page.name);
      return source ? translatePage(page, source, original.tag, find) : page;
    }),
    pictureTexts: Object.fromEntries(
      original.pictures.flatMap(({ file, alt }) => {
        const text = find(pictureContext(file), alt);
        return text === undefined ? [] : [[alt, text]];
      }),
    ),
  };
}

/** Each side of ` - ` by itself: the cover shows them on two lines. What has no words is in no language. */
const markOriginal = (text: string, tag: string): string =>
  text
    .split(' - ')
    .map((part) => (/[\p{L}\p{N}]/u.test(part) ? `{${tag}:${part}}` : part))
    .join(' - ');

/** The labels lead to the parts of the page that the original's labels name. */
function sectionLinksOf({ sectionLinks }: TranslatedContent['site'], { site }: Original) {
  const { sectionLinks: labels } = site as { sectionLinks: string[] };
  return sectionLinks.map(({ label }, index) => ({ id: labels[index]?.toLowerCase() ?? '', label }));
}

function translatePage(
  page: OwnPage,
  source: OwnPageSource,
  originalTag: string,
  find: FindTranslation,
): OwnPage {
  const { name, blocks } = source;
  const head = Object.fromEntries(
    Object.entries(source.head).map(([part, text = '']) => [
      part,
      find(pageContext(name, `.${part}`), text) ?? markOriginal(text, originalTag),
    ]),
  ) as OwnPageSource['head'];
  const translated = blocks.map((block, index) => find(pageContext(name, `#${index + 1}`), block));
  // As a whole, because the levels of headings depend on each other.
  const article = readArticle(translated.map((text, index) => text ?? blocks[index]).join('\n\n'), 0).blocks;
  const isWhole = article.length === blocks.length;
  const marked = (isWhole ? article : page.article).map((block, index) =>
    isWhole && translated[index] !== undefined ? block : { ...block, lang: originalTag },
  );
  return composePage({ ...source, head }, marked, page.photo);
}

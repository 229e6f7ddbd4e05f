import { mapValues } from '../../model/map-values.ts';
import type { ShownLanguage } from '../content/languages/shown-languages.ts';
import type { TranslatedContent } from '../content/languages/translated-content.ts';
import { applyClosure } from './apply-closure.ts';
import { describeRetention } from './format-retention.ts';
import { linesFor } from './lines-for.ts';
import { type FullPageData, type FullPhoto, menuOf, publicForms } from './load-page-data.ts';

/** The data of all pages in another language: its words, and all else of the original. */
export function translatePageData(
  original: FullPageData,
  { content, isPreview }: ShownLanguage,
  now: Date,
): FullPageData {
  const { language, site, helplines, forms, ownPages } = content;
  const { photos, menu: _menu, footer: _footer, closed: _closed, ...shared } = original;
  const describe = (photo: FullPhoto | null) => photo && describePhoto(photo, content);
  return {
    ...shared,
    language,
    ...(isPreview ? { preview: true } : {}),
    ...applyClosure(describeRetention(site, original.retention), now, language.tag),
    helplines: linesFor(helplines, language.tag),
    forms: publicForms(forms),
    photos: {
      covers: photos.covers.map((photo) => describePhoto(photo, content)),
      cards: photos.cards.map(describe),
      headers: mapValues(photos.headers, describe),
    },
    ...menuOf(ownPages, language.prefix),
  };
}

/** The photo with its description in another language; where there is none, with the original's, marked as such. */
export function describePhoto(photo: FullPhoto, { pictureTexts, site }: TranslatedContent): FullPhoto {
  const alt = Object.hasOwn(pictureTexts, photo.alt) ? pictureTexts[photo.alt] : undefined;
  if (alt !== undefined) return { ...photo, alt };
  return photo.alt ? { ...photo, lang: site.language.tag } : photo;
}

import type { OwnPage } from '../../model/own-page.ts';
import type { PhotoUse } from '../../model/photo.ts';
import type { Site } from '../../model/site.ts';

/** The part of the content that names the keywords of photos. */
export interface ShownPhotos {
  site: Site;
  ownPages: readonly Pick<OwnPage, 'photo'>[];
}

/** Keywords in the form in which they are compared: in lower case and without extra spaces. */
export function normalizeKeywords(query: string): string {
  return query.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** By keywords, how the site shows the photos found for them. Only these renditions are made. */
export function photoUses({ site, ownPages }: ShownPhotos): Map<string, Set<PhotoUse>> {
  const uses = new Map<string, Set<PhotoUse>>();
  const add = (keywords: string | undefined, use: PhotoUse) => {
    if (keywords === undefined) return;
    const query = normalizeKeywords(keywords);
    uses.set(query, (uses.get(query) ?? new Set()).add(use));
  };
  add(site.cover.photo, 'cover');
  for (const card of site.cards) add(card.photo, 'card');
  for (const page of [...Object.values(site.pages), ...ownPages]) add(page.photo, 'header');
  return uses;
}

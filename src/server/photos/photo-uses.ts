import type { OwnPage } from '../../model/own-page.ts';
import type { PhotoUse } from '../../model/photo.ts';
import type { Site } from '../../model/site.ts';

/** Search words as they are compared: neither case nor spacing makes another search. */
export function sameWords(query: string): string {
  return query.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** In which ways the site shows what it finds for each of its keywords. Only those are made of a picture. */
export function photoUses(
  site: Site,
  ownPages: readonly Pick<OwnPage, 'photo'>[] = [],
): Map<string, Set<PhotoUse>> {
  const uses = new Map<string, Set<PhotoUse>>();
  const add = (keywords: string | undefined, use: PhotoUse) => {
    if (keywords === undefined) return;
    const query = sameWords(keywords);
    uses.set(query, (uses.get(query) ?? new Set()).add(use));
  };
  add(site.cover.photo, 'cover');
  for (const card of site.cards) add(card.photo, 'card');
  for (const page of [...Object.values(site.pages), ...ownPages]) add(page.photo, 'header');
  return uses;
}

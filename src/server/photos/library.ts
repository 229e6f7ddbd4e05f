import { fileURLToPath } from 'node:url';
import type { OwnPage } from '../../model/own-page.ts';
import type { PhotoUse } from '../../model/photo.ts';
import type { Site } from '../../model/site.ts';
import type { Focus } from './rendition-specs.ts';

/** A picture as content/photos/index.yaml lists it. */
export interface LibraryPicture {
  folder: string;
  /** The name inside the folder. */
  file: string;
  keywords: string[];
  alt: string;
  credit: string;
  focus?: Focus | undefined;
  /** Of the file's bytes, so that a picture that replaces another has another address. */
  hash: string;
}

/** The part of the content that decides which pictures are shown. */
export interface PhotoContent {
  site: Site;
  ownPages: readonly Pick<OwnPage, 'photo'>[];
  pictures: LibraryPicture[];
}

export interface PhotoContentSource {
  current(): PhotoContent;
  /** Returns a function that stops the calls. */
  onChange(listener: () => void | Promise<void>): () => void;
}

export const libraryFolder = 'photos';

/** The drawings that come with the product, for a trust that lists no pictures of its own. */
export const defaultLibrary = fileURLToPath(new URL(`../../../content/${libraryFolder}`, import.meta.url));

/** Keywords in the form in which they are compared: in lower case and without extra spaces. */
export function normalizeKeywords(query: string): string {
  return query.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
}

export type PhotoUses = ReadonlyMap<string, ReadonlySet<PhotoUse>>;

/** By keywords, how the site shows the photos found for them. Only these renditions are made. */
export function photoUses({ site, ownPages }: Omit<PhotoContent, 'pictures'>): PhotoUses {
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

/** The pictures with the query among their keywords; where there are none, those whose keywords have all its words. */
export function findInLibrary<T extends Pick<LibraryPicture, 'keywords'>>(
  pictures: readonly T[],
  query: string,
): T[] {
  const wanted = normalizeKeywords(query);
  const exact = pictures.filter(({ keywords }) => keywords.some((one) => normalizeKeywords(one) === wanted));
  if (exact.length > 0 || wanted === '') return exact;
  return pictures.filter(({ keywords }) => {
    const words = new Set(keywords.flatMap((one) => normalizeKeywords(one).split(' ')));
    return wanted.split(' ').every((word) => words.has(word));
  });
}

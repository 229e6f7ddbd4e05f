import { fileURLToPath } from 'node:url';
import { normalizeKeywords, type ShownPhotos } from './photo-uses.ts';
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
export interface PhotoContent extends ShownPhotos {
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

/**
 * The pictures that have the query among their keywords; where there are none, those whose keywords together contain
 * all words of the query.
 */
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

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Photo, PhotoUse } from '../../model/photo.ts';
import { findInLibrary, type LibraryPicture, type PhotoContent } from './library.ts';
import type { LogOnce } from './log-once.ts';
import { normalizeKeywords, photoUses } from './photo-uses.ts';
import { toPhoto } from './photos.ts';
import type { MadeRenditions, RenditionStore } from './rendition-store.ts';

/** The trust's own files are trusted. The limit is for small machines, which cannot decode the largest cameras' photos. */
const maxPixels = 120_000_000;

interface LibraryPhotosParts {
  store: RenditionStore;
  problems: LogOnce;
  changed(): void;
  closing: AbortSignal;
}

export function createLibraryPhotos({ store, problems, changed, closing }: LibraryPhotosParts) {
  let photosByQuery = new Map<string, Photo[]>();
  let latest: LibraryPicture[] | undefined;

  /** Null where a rendition for one of the uses is missing. */
  async function findMade({ hash }: LibraryPicture, uses: PhotoUse[]): Promise<MadeRenditions | null> {
    const made = await store.find(hash);
    return made && uses.every((use) => made.uses.includes(use)) ? made : null;
  }

  async function make(
    { folder, file, hash, focus }: LibraryPicture,
    uses: PhotoUse[],
  ): Promise<MadeRenditions | null> {
    const read = () => readFile(join(folder, file));
    try {
      return await store.make({ hash, read, maxPixels, focus }, uses);
    } catch (error) {
      if (closing.aborted) return null;
      const reason = (error as Error).message.split('\n')[0];
      problems.warn({ event: 'picture not shown', file, reason });
      return null;
    }
  }

  return {
    find: (query: string): Photo[] => photosByQuery.get(normalizeKeywords(query)) ?? [],
    /** The hashes of the pictures that `update` was last given. */
    used: (): string[] => (latest ?? []).map(({ hash }) => hash),
    /**
     * Resolves once all renditions that exist of these pictures can be found. The missing ones are made after that; until
     * all are made, searches find the pictures from before the update.
     */
    async update(content: PhotoContent): Promise<{ made: Promise<void> }> {
      const { pictures } = content;
      const isFirst = latest === undefined;
      latest = pictures;
      const searches = photoUses(content);
      const uses = usesOfPictures(pictures, searches.entries());
      const show = (made: ReadonlyMap<LibraryPicture, MadeRenditions | null>) => {
        if (latest !== pictures) return;
        const findPhotos = (query: string) =>
          findInLibrary(pictures, query).flatMap((picture) => {
            const { file, alt, credit, hash } = picture;
            const { averageColour } = made.get(picture) ?? {};
            const about = { id: file, alt, photographer: credit, url: '', source: 'library' } as const;
            return averageColour === undefined ? [] : toPhoto({ hash, averageColour }, about);
          });
        photosByQuery = new Map([...searches.keys()].map((query) => [query, findPhotos(query)]));
        changed();
      };
      const existing = await mapValues(uses, findMade);
      const isComplete = [...existing.values()].every((one) => one !== null);
      if (isFirst || isComplete) show(existing);
      if (isComplete) return { made: Promise.resolve() };
      const makeMissing = async (picture: LibraryPicture, uses: PhotoUse[]) =>
        existing.get(picture) ?? make(picture, uses);
      return { made: mapValues(uses, makeMissing).then(show) };
    },
  };
}

async function mapValues<K, V, W>(map: ReadonlyMap<K, V>, to: (key: K, value: V) => Promise<W>) {
  return new Map(
    await Promise.all([...map].map(async ([key, value]) => [key, await to(key, value)] as const)),
  );
}

/** How each picture is shown, by the searches that find it. A picture that no search finds is left out. */
export function usesOfPictures(
  pictures: readonly LibraryPicture[],
  searches: Iterable<[query: string, uses: ReadonlySet<PhotoUse>]>,
): Map<LibraryPicture, PhotoUse[]> {
  const uses = new Map<LibraryPicture, PhotoUse[]>();
  for (const [query, wanted] of searches) {
    for (const picture of findInLibrary(pictures, query)) {
      uses.set(picture, [...new Set([...(uses.get(picture) ?? []), ...wanted])]);
    }
  }
  return uses;
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Photo, PhotoUse } from '../../model/photo.ts';
import { findInLibrary, type LibraryPicture, type PhotoContent } from './library.ts';
import type { LogOnce } from './log-once.ts';
import { photoAddresses } from './photo-addresses.ts';
import { photoUses, sameWords } from './photo-uses.ts';
import type { MadeRenditions, RenditionStore } from './rendition-store.ts';

/** The trust's own files are trusted; this limit keeps a small machine from decoding the largest cameras' photos. */
const maxPixels = 120_000_000;

interface LibraryPhotos {
  find(query: string): Photo[];
  /** The hashes of the pictures that `update` was last given. */
  used(): string[];
  /**
   * Resolves once all renditions that exist of these pictures can be found. The missing ones are made after that; until
   * all are made, searches find the pictures from before the update.
   */
  update(content: PhotoContent): Promise<{ made: Promise<void> }>;
}

interface LibraryPhotosParts {
  store: RenditionStore;
  problems: LogOnce;
  changed(): void;
  closing: AbortSignal;
}

export function createLibraryPhotos({
  store,
  problems,
  changed,
  closing,
}: LibraryPhotosParts): LibraryPhotos {
  let answers = new Map<string, Photo[]>();
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
    find: (query) => answers.get(sameWords(query)) ?? [],
    used: () => (latest ?? []).map(({ hash }) => hash),
    async update(content) {
      const { pictures } = content;
      const first = latest === undefined;
      latest = pictures;
      const searches = photoUses(content);
      const uses = usesOfPictures(pictures, searches.entries());
      const show = (made: ReadonlyMap<LibraryPicture, MadeRenditions | null>) => {
        if (latest !== pictures) return;
        const answer = (query: string) =>
          findInLibrary(pictures, query).flatMap((one) => {
            const there = made.get(one);
            return there ? asPhoto(one, there) : [];
          });
        answers = new Map([...searches.keys()].map((query) => [query, answer(query)]));
        changed();
      };
      const there = await mapValues(uses, findMade);
      const complete = [...there.values()].every((one) => one !== null);
      if (first || complete) show(there);
      if (complete) return { made: Promise.resolve() };
      return { made: mapValues(uses, async (one, of) => there.get(one) ?? make(one, of)).then(show) };
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

function asPhoto({ file, alt, credit, hash }: LibraryPicture, { averageColour }: MadeRenditions): Photo {
  return {
    id: file,
    alt,
    avg_color: averageColour,
    photographer: credit,
    url: '',
    ...photoAddresses(hash),
    source: 'library',
  };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Photo, PhotoUse } from '../../model/photo.ts';
import type { Content } from '../content/content.ts';
import { findInLibrary, type LibraryPicture } from './library.ts';
import type { LogOnce } from './log-once.ts';
import { photoAddresses } from './photo-addresses.ts';
import { photoUses, sameWords } from './photo-uses.ts';
import type { Made, RenditionStore } from './rendition-store.ts';

/** The trust's own pictures are trusted to be pictures; this only spares a small machine the largest cameras' files. */
const maxPixels = 120_000_000;

export interface LibraryPhotos {
  find(query: string): Photo[];
  /** The pictures that `takeUp` was last given. */
  wanted(): string[];
  /**
   * Resolves once everything there is of these pictures can be found. What is not made yet is made after that, and
   * until all of it is, the pictures before these are the ones found.
   */
  takeUp(content: Content): Promise<{ made: Promise<void> }>;
}

export interface LibraryPhotosParts {
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

  /** Null where it cannot be shown (yet) in all these ways. */
  async function look({ hash }: LibraryPicture, uses: PhotoUse[]): Promise<Made | null> {
    const made = await store.find(hash);
    return made && uses.every((use) => made.uses.includes(use)) ? made : null;
  }

  async function make({ folder, file, hash, focus }: LibraryPicture, uses: PhotoUse[]): Promise<Made | null> {
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
    wanted: () => (latest ?? []).map(({ hash }) => hash),
    async takeUp({ site, ownPages, pictures }) {
      const first = latest === undefined;
      latest = pictures;
      const searches = photoUses(site, ownPages);
      const uses = usesOfPictures(pictures, searches.entries());
      const show = (made: ReadonlyMap<LibraryPicture, Made | null>) => {
        if (latest !== pictures) return;
        const answer = (query: string) =>
          findInLibrary(pictures, query).flatMap((one) => {
            const there = made.get(one);
            return there ? asPhoto(one, there) : [];
          });
        answers = new Map([...searches.keys()].map((query) => [query, answer(query)]));
        changed();
      };
      const there = await mapValues(uses, look);
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

/** Which ways each picture is shown in, by the searches that find it. One that no search finds is left out. */
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

function asPhoto({ file, alt, credit, hash }: LibraryPicture, { averageColour }: Made): Photo {
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

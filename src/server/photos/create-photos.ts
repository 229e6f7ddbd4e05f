import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ImageLimits } from './fetch-image.ts';
import { defaultLibrary, type LibraryPicture, libraryFolder, type PhotoContentSource } from './library.ts';
import { createLibraryPhotos } from './library-photos.ts';
import { createLogOnce } from './log-once.ts';
import type { PexelsAccess } from './pexels.ts';
import { openPexelsPhotos } from './pexels-photos.ts';
import { photoUses } from './photo-uses.ts';
import type { PhotoFiles, Photos } from './photos.ts';
import { cachePictures } from './picture-cache.ts';
import { openRenditionStore } from './rendition-store.ts';

/** How often searches of the photo service are repeated, where their results are stale. */
const refreshEveryMs = 15 * 60 * 1000;
/** A page that was open for days may still ask for the pictures it was made with. */
const retainUnusedMs = 7 * 24 * 60 * 60 * 1000;
export const defaultPerPage = 5;

interface PhotosParts {
  contentDir: string;
  dataDir: string;
  pexels: PexelsAccess | undefined;
  content: PhotoContentSource;
  log: Pick<Logger, 'warn' | 'error'>;
  /** In milliseconds since 1970. */
  now?: () => number;
  imageLimits?: ImageLimits;
}

export interface OpenPhotos extends Photos {
  files: PhotoFiles;
  /** Brings everything up to date with the content, the photo service and the clock. Never rejects. */
  refresh(): Promise<void>;
  /** Resolves when no search is under way and no picture is being made. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The photo service's pictures where there are some, else the library's. No search waits for the network. */
export async function createPhotos(parts: PhotosParts): Promise<OpenPhotos> {
  const { contentDir, dataDir, pexels, content, log, now = Date.now, imageLimits: limits } = parts;
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) {
      try {
        listener();
      } catch (err) {
        log.error({ event: 'pictures changed, but not on the pages', err });
      }
    }
  };
  const folder = join(dataDir, 'photos');
  const shipped = [join(contentDir, libraryFolder), defaultLibrary].map((one) => join(one, 'rendered'));
  const store = openRenditionStore({ folder, shipped, closing: closing.signal });
  const shared = { store, changed: notify, closing: closing.signal, problems: createLogOnce(log) };
  const library = createLibraryPhotos(shared);
  const service = pexels
    ? await openPexelsPhotos({
        ...shared,
        access: pexels,
        path: join(folder, 'pexels.json'),
        now,
        failedSearches: createLogOnce(log),
        limits,
      })
    : undefined;

  const searches = () => photoUses(content.current());
  let work: Promise<unknown> = Promise.resolve();
  function inBackground(task: () => Promise<unknown>): Promise<void> {
    const done = work.then(task).then(
      () => {},
      (err) => log.error({ event: 'pictures not brought up to date', err }),
    );
    work = done;
    return done;
  }

  async function followContent(): Promise<void> {
    await service?.load(searches());
    const { made } = await library.update(content.current());
    void inBackground(() => made);
  }

  function refresh(): Promise<void> {
    return inBackground(async () => {
      await service?.refresh(searches());
      const used = new Set([...library.used(), ...(service?.used() ?? [])]);
      if (!closing.signal.aborted) await store.prune(used, new Date(now() - retainUnusedMs));
    });
  }

  await followContent();
  void refresh();
  const timer = setInterval(() => void refresh(), refreshEveryMs).unref();
  const stopFollowing = content.onChange(async () => {
    await followContent();
    void refresh();
  });

  const listed = describePictures(content.current().pictures);
  return {
    description: service ? `from Pexels, and ${listed}` : listed,
    async search(query, perPage = defaultPerPage) {
      const found = service?.find(query) ?? [];
      return (found.length > 0 ? found : library.find(query)).slice(0, perPage);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    files: cachePictures(store),
    refresh,
    settled: () => inBackground(async () => {}),
    async close() {
      closing.abort(new Error('closing'));
      clearInterval(timer);
      stopFollowing();
      await work;
    },
  };
}

export function describePictures(pictures: readonly Pick<LibraryPicture, 'folder'>[]): string {
  const [first] = pictures;
  if (!first) return 'none listed';
  return first.folder === defaultLibrary ? `${pictures.length} built in` : `${pictures.length} of your own`;
}

import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ContentSource } from '../content/content-source.ts';
import type { ImageLimits } from './fetch-image.ts';
import { type LibraryPicture, libraryFolder, ownLibrary } from './library.ts';
import { createLibraryPhotos } from './library-photos.ts';
import { createLogOnce } from './log-once.ts';
import type { PexelsAccess } from './pexels.ts';
import { openPexelsPhotos } from './pexels-photos.ts';
import { photoUses } from './photo-uses.ts';
import type { PhotoFiles, Photos } from './photos.ts';
import { keepPictures } from './picture-cache.ts';
import { openRenditionStore } from './rendition-store.ts';

/** How often it is looked whether an answer has grown stale. */
const lookMs = 15 * 60 * 1000;
/** A page that was open for days may still ask for the pictures it was made with. */
const keepUnwantedMs = 7 * 24 * 60 * 60 * 1000;
export const defaultPerPage = 5;

export interface PhotosParts {
  contentDir: string;
  dataDir: string;
  pexels: PexelsAccess | undefined;
  content: ContentSource;
  log: Pick<Logger, 'warn' | 'error'>;
  /** In milliseconds since 1970. */
  now?: () => number;
  imageLimits?: ImageLimits;
}

export interface OpenPhotos extends Photos {
  files: PhotoFiles;
  /** Brings everything up to date with the content, the service and the clock, now. Never rejects. */
  refresh(): Promise<void>;
  /** Resolves when nothing is being asked for or made. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The service's photos where there are some, the library's where there are none. Nothing here waits for the network. */
export async function createPhotos(parts: PhotosParts): Promise<OpenPhotos> {
  const { contentDir, dataDir, pexels, content, log, now = Date.now, imageLimits: limits } = parts;
  const closing = new AbortController();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) {
      try {
        listener();
      } catch (err) {
        log.error({ event: 'pictures changed, but not on the pages', err });
      }
    }
  };
  const folder = join(dataDir, 'photos');
  const shipped = [join(contentDir, libraryFolder), ownLibrary].map((one) => join(one, 'rendered'));
  const store = openRenditionStore({ folder, shipped, closing: closing.signal });
  const shared = { store, changed, closing: closing.signal, problems: createLogOnce(log) };
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

  const searches = () => photoUses(content.current().site, content.current().ownPages);
  let work: Promise<unknown> = Promise.resolve();
  function inBackground(task: () => Promise<unknown>): Promise<void> {
    const done = work.then(task).then(
      () => {},
      (err) => log.error({ event: 'pictures not brought up to date', err }),
    );
    work = done;
    return done;
  }

  async function takeUp(): Promise<void> {
    await service?.look(searches());
    const { made } = await library.takeUp(content.current());
    void inBackground(() => made);
  }

  function refresh(): Promise<void> {
    return inBackground(async () => {
      await service?.refresh(searches());
      const wanted = new Set([...library.wanted(), ...(service?.wanted() ?? [])]);
      if (!closing.signal.aborted) await store.prune(wanted, new Date(now() - keepUnwantedMs));
    });
  }

  await takeUp();
  void refresh();
  const timer = setInterval(() => void refresh(), lookMs).unref();
  const stopFollowing = content.onChange(async () => {
    await takeUp();
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
    files: keepPictures(store),
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
  return first.folder === ownLibrary ? `${pictures.length} built in` : `${pictures.length} of your own`;
}

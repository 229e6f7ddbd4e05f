import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Photo } from '../../model/photo.ts';
import type { Log } from '../log/log.ts';
import type { ImageLimits } from './fetch-image.ts';
import {
  defaultLibrary,
  findInLibrary,
  type LibraryPicture,
  libraryFolder,
  normalizeKeywords,
  type PhotoContent,
  type PhotoContentSource,
  photoUses,
} from './library.ts';
import type { PexelsAccess } from './pexels.ts';
import { openPexelsPhotos } from './pexels-photos.ts';
import { type FoundPicture, findMade } from './photos.ts';
import { holdPictures } from './picture-files.ts';
import { openRenditionStore } from './rendition-store.ts';

/** How often searches of the photo service are repeated, where their results are stale. */
const refreshEveryMs = 15 * 60 * 1000;
/** A page that was open for days may still ask for the pictures it was made with. */
const retainUnusedMs = 7 * 24 * 60 * 60 * 1000;
/** The trust's own files are trusted. The limit is for small machines, which cannot decode the largest cameras' photos. */
const maxPixels = 120_000_000;
const defaultPerPage = 5;

interface PhotosParts {
  contentDir: string;
  dataDir: string;
  pexels: PexelsAccess | undefined;
  content: PhotoContentSource;
  log: Pick<Log, 'warn' | 'error'>;
  /** In milliseconds since 1970. */
  now?: () => number;
  imageLimits?: ImageLimits;
}

export type OpenPhotos = Awaited<ReturnType<typeof createPhotos>>;

/** The photo service's pictures where there are some, else the library's. No search waits for the network. */
export async function createPhotos(parts: PhotosParts) {
  const { contentDir, dataDir, pexels, content, log, now = Date.now, imageLimits: limits } = parts;
  const closing = new AbortController();
  const { signal } = closing;
  const folder = join(dataDir, 'photos');
  const shipped = [join(contentDir, libraryFolder), defaultLibrary].map((one) => join(one, 'rendered'));
  const store = openRenditionStore({ folder, shipped, closing: signal });
  const logged = new Set<string>();
  /** A line that repeats every quarter of an hour is no longer read. */
  const warnOnce = (line: Parameters<Log['warn']>[0]) => {
    const text = JSON.stringify(line);
    if (!logged.has(text) && !signal.aborted) log.warn(line);
    logged.add(text);
  };
  const path = join(folder, 'pexels.json');
  const service =
    pexels &&
    (await openPexelsPhotos({ access: pexels, path, store, now, log, warnOnce, closing: signal, limits }));

  const listeners = new Set<() => void>();
  let shown = new Map<string, Photo[]>();

  const findOurs = (query: string) =>
    findInLibrary(content.current().pictures, query).map(
      ({ file: id, alt, credit, hash }): FoundPicture => ({
        id,
        alt,
        photographer: credit,
        url: '',
        source: 'library',
        hash,
      }),
    );

  /** @param isMade no more will be made: show what there is. Before, a search keeps its pictures until all new ones are made. */
  async function show(isMade: boolean): Promise<void> {
    const shownContent = content.current();
    const next = new Map<string, Photo[]>();
    for (const [query, uses] of photoUses(shownContent)) {
      const ofService = await findMade(store, service?.find(query) ?? [], uses);
      const ours = findOurs(query);
      const made = await findMade(store, ours, uses);
      const before = isMade || made.length === ours.length ? undefined : shown.get(query);
      next.set(query, ofService.length > 0 ? ofService : (before ?? made));
    }
    if (content.current() !== shownContent || JSON.stringify([...next]) === JSON.stringify([...shown]))
      return;
    shown = next;
    for (const listener of listeners) listener();
  }

  async function makeLibrary(of: PhotoContent): Promise<void> {
    for (const [query, uses] of photoUses(of))
      for (const { folder, file, hash, focus } of findInLibrary(of.pictures, query)) {
        if (signal.aborted) return;
        const read = () => readFile(join(folder, file));
        await store.make({ hash, read, maxPixels, focus }, uses).catch((error: Error) => {
          warnOnce({ event: 'picture not shown', file, reason: error.message.split('\n')[0] });
        });
      }
  }

  let work: Promise<unknown> = Promise.resolve();
  async function update(): Promise<void> {
    const made = content.current();
    await makeLibrary(made);
    const showMade = () => show(content.current() === made);
    await showMade();
    await service?.refresh(photoUses(made), showMade);
    const used = new Set([...made.pictures.map(({ hash }) => hash), ...(service?.used() ?? [])]);
    if (!signal.aborted) await store.prune(used, new Date(now() - retainUnusedMs));
  }
  /** Brings everything up to date with the content, the photo service and the clock. Never rejects. */
  function refresh(): Promise<void> {
    const done = work.then(update).catch((err) => log.error({ event: 'pictures not updated', err }));
    work = done;
    return done;
  }

  await show(false);
  void refresh();
  const timer = setInterval(() => void refresh(), refreshEveryMs).unref();
  const stopFollowing = content.onChange(async () => {
    await show(false);
    void refresh();
  });

  const listed = describePictures(content.current().pictures);
  return {
    description: service ? `from Pexels, and ${listed}` : listed,
    search: async (query: string, perPage = defaultPerPage): Promise<Photo[]> =>
      (shown.get(normalizeKeywords(query)) ?? []).slice(0, perPage),
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    files: holdPictures(store),
    refresh,
    /** Resolves when no search is under way and no picture is being made. */
    settled: async () => void (await work),
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

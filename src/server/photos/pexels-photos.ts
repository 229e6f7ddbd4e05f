import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { PhotoUse } from '../../model/photo.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Log } from '../log/log.ts';
import { fetchImage, type ImageLimits, imageLimits, imageOrigin } from './fetch-image.ts';
import type { PhotoUses } from './library.ts';
import { type PexelsAccess, PexelsHttpError, type PexelsPhoto, pausedUntil, searchPexels } from './pexels.ts';
import { type FoundPicture, findMade } from './photos.ts';
import { pictureHash, specsKey } from './rendition-specs.ts';
import type { RenditionStore } from './rendition-store.ts';

/** The home page picks its cover from this many. */
const perSearch = 5;
const hourMs = 60 * 60 * 1000;
/** The photo service's own advice. */
const freshMs = 24 * hourMs;
/** After any failure. The service allows 200 requests an hour. */
const retryMs = hourMs;
/** The service's quota is monthly, so a longer pause can only come from a header that was misread. */
const longestPauseMs = 31 * 24 * hourMs;

const photoSchema = z.object({
  ...{ id: z.string(), alt: z.string(), photographer: z.string(), url: z.string() },
  source: z.literal('pexels'),
  /** Of the picture's bytes as they were fetched. */
  hash: z.string(),
});
/** The search results on disk, so that a start or an outage needs no request. */
const cacheSchema = z.object({
  recipe: z.literal(specsKey),
  /** Milliseconds since 1970. No request is made before this time. */
  pausedUntil: z.number(),
  answers: z.record(z.string(), z.object({ freshUntil: z.number(), photos: z.array(photoSchema) })),
});
type CachedPhoto = z.output<typeof photoSchema>;

async function readCache(path: string): Promise<z.output<typeof cacheSchema>> {
  try {
    return cacheSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // No file yet, one of other rendition specs, or a damaged one: the searches are made again.
    return { recipe: specsKey, pausedUntil: 0, answers: {} };
  }
}

interface PexelsPhotosParts {
  access: PexelsAccess;
  /** The file of cached results. */
  path: string;
  store: RenditionStore;
  /** In milliseconds since 1970. */
  now(): number;
  log: Pick<Log, 'warn'>;
  warnOnce(line: Record<string, unknown>): void;
  closing: AbortSignal;
  limits?: ImageLimits | undefined;
}

export async function openPexelsPhotos(parts: PexelsPhotosParts) {
  const { access, path, store, now, log, warnOnce, closing, limits = imageLimits } = parts;
  const origin = imageOrigin(access.url);
  const cache = await readCache(path);
  /** A failure is logged once, until a search succeeds. */
  let failedWith: string | null = null;

  /** Null where the search failed, which is logged. */
  async function search(query: string): Promise<PexelsPhoto[] | null> {
    const pause = (until: number | null) => {
      if (until !== null) cache.pausedUntil = Math.min(until, now() + longestPauseMs);
    };
    try {
      const { photos, headers } = await searchPexels(access, query, perSearch, closing);
      pause(pausedUntil(headers, now()));
      failedWith = null;
      return photos;
    } catch (error) {
      if (closing.aborted) return null;
      const { headers = new Headers(), status } = error as Partial<PexelsHttpError>;
      pause(pausedUntil(headers, now()) ?? now() + retryMs);
      const reason = reasonOf(error as Error);
      if (failedWith !== reason) log.warn({ event: 'photo search failed', status, reason });
      failedWith = reason;
      return null;
    }
  }

  /** Fetches a photo and makes its renditions, unless they exist. Null where that failed, which is logged. */
  async function cachePhoto(
    { id, alt, photographer, url, src }: PexelsPhoto,
    uses: ReadonlySet<PhotoUse>,
    known: CachedPhoto | undefined,
  ): Promise<CachedPhoto | null> {
    const about = { id, alt: alt ?? '', photographer, url, source: 'pexels' } as const;
    if (known && (await store.find(known.hash, uses))) return { ...known, ...about };
    const original = await fetchImage(src.original, origin, limits, closing);
    // The widest screens need the original. The copy has half of their width.
    const fetched =
      !original.ok && original.tooLarge ? await fetchImage(src.large2x, origin, limits, closing) : original;
    const refuse = (reason: string) => {
      warnOnce({ event: 'photo not fetched', reference: id, reason });
      return null;
    };
    if (!fetched.ok) return refuse(fetched.problem);
    const { bytes } = fetched;
    const hash = pictureHash(bytes);
    return store.make({ hash, read: async () => bytes, maxPixels: limits.pixels }, uses).then(
      () => ({ ...about, hash }),
      () => refuse('is broken'),
    );
  }

  /** The pictures of the last successful search, of any age. */
  const find = (query: string): FoundPicture[] => cache.answers[query]?.photos ?? [];

  async function searchAgain(query: string, uses: ReadonlySet<PhotoUse>): Promise<void> {
    const found = await search(query);
    if (!found) return;
    const before = cache.answers[query]?.photos ?? [];
    const photos: CachedPhoto[] = [];
    for (const photo of found) {
      const known = before.find(({ id }) => id === photo.id);
      const cached = await cachePhoto(photo, uses, known);
      if (cached) photos.push(cached);
    }
    const allFailed = photos.length === 0 && found.length > 0;
    const freshUntil = now() + (allFailed ? retryMs : freshMs);
    cache.answers[query] = { freshUntil, photos: allFailed ? before : photos };
  }

  return {
    find,
    /** The hashes of the pictures of all cached searches. */
    used: (): string[] =>
      Object.values(cache.answers).flatMap(({ photos }) => photos.map(({ hash }) => hash)),
    /** Searches for what is missing or stale, fetches the pictures and makes their renditions. @throws where the cache file cannot be written. */
    async refresh(searches: PhotoUses, changed: () => Promise<void>): Promise<void> {
      for (const [query, uses] of searches) {
        const isFresh = (cache.answers[query]?.freshUntil ?? 0) > now();
        // The content may use these photos in another way by now, or somebody has cleared the folder.
        const areMade = async () => (await findMade(store, find(query), uses)).length === find(query).length;
        if (closing.aborted || (isFresh && (await areMade()))) continue;
        if (cache.pausedUntil > now()) return;
        await searchAgain(query, uses);
        // A search that closing has cut short is not cached.
        if (closing.aborted) return;
        await mkdir(dirname(path), { recursive: true });
        await writeAtomically(path, JSON.stringify(cache, null, 1));
        await changed();
      }
    },
  };
}

/** The status text, or the network error, which fetch hides in the cause. */
function reasonOf(error: Error): string {
  const { code } = (error.cause ?? {}) as { code?: unknown };
  if (typeof code === 'string') return code;
  return error instanceof PexelsHttpError ? error.message : error.name;
}

import type { Photo, PhotoUse } from '../../model/photo.ts';
import { type Fetched, fetchImage, type ImageLimits, imageLimits, imageOrigin } from './fetch-image.ts';
import type { LogOnce } from './log-once.ts';
import { type PexelsAccess, PexelsHttpError, type PexelsPhoto, searchPexels } from './pexels.ts';
import { type CachedPhoto, readPexelsCache, writePexelsCache } from './pexels-cache.ts';
import { normalizeKeywords } from './photo-uses.ts';
import { toPhoto } from './photos.ts';
import { pictureHash } from './rendition-specs.ts';
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

type Searches = ReadonlyMap<string, ReadonlySet<PhotoUse>>;

interface PexelsPhotosParts {
  access: PexelsAccess;
  /** The file of cached results. */
  path: string;
  store: RenditionStore;
  /** In milliseconds since 1970. */
  now(): number;
  failedSearches: LogOnce;
  problems: LogOnce;
  changed(): void;
  closing: AbortSignal;
  limits?: ImageLimits | undefined;
}

export async function openPexelsPhotos(parts: PexelsPhotosParts) {
  const { access, path, store, now, failedSearches, problems, closing, limits = imageLimits } = parts;
  const origin = imageOrigin(access.url);
  const cache = await readPexelsCache(path);
  const shown = new Map<string, Photo[]>();

  const pause = (until: number) => {
    cache.pausedUntil = Math.min(until, now() + longestPauseMs);
  };

  /** Null where the search failed, which is logged. */
  async function search(query: string): Promise<PexelsPhoto[] | null> {
    try {
      const { photos, exhaustedUntil } = await searchPexels(access, query, perSearch, closing);
      if (exhaustedUntil) pause(exhaustedUntil.getTime());
      failedSearches.clear();
      return photos;
    } catch (error) {
      if (closing.aborted) return null;
      const { exhaustedUntil = null, retryAfterMs = null, status } = error as Partial<PexelsHttpError>;
      pause(exhaustedUntil?.getTime() ?? now() + (retryAfterMs ?? retryMs));
      failedSearches.warn({ event: 'photo search failed', status, reason: reasonOf(error as Error) });
      return null;
    }
  }

  /** Fetches a photo and makes its renditions, unless they exist. Null where that failed, which is logged. */
  async function cachePhoto(
    photo: PexelsPhoto,
    uses: ReadonlySet<PhotoUse>,
    known: CachedPhoto | undefined,
  ): Promise<CachedPhoto | null> {
    const about = { id: photo.id, alt: photo.alt ?? '', photographer: photo.photographer, url: photo.url };
    const refused = (reason: string) => {
      if (!closing.aborted) problems.warn({ event: 'photo not taken', reference: photo.id, reason });
      return null;
    };
    if (known && (await hasRenditions(known, uses))) return { ...known, ...about };
    const fetched = await fetchLargest(photo);
    if (!fetched.ok) return refused(fetched.problem);
    const hash = pictureHash(fetched.bytes);
    try {
      const source = { hash, read: async () => fetched.bytes, maxPixels: limits.pixels };
      const { averageColour } = await store.make(source, uses);
      return { ...about, hash, averageColour };
    } catch {
      return refused('is broken');
    }
  }

  /** The original, which the widest screens need; where the original is too large, a copy of half the width of these screens. */
  async function fetchLargest({ src }: PexelsPhoto): Promise<Fetched> {
    const original = await fetchImage(src.original, origin, limits, closing);
    return !original.ok && original.tooLarge ? fetchImage(src.large2x, origin, limits, closing) : original;
  }

  async function hasRenditions({ hash }: CachedPhoto, uses: ReadonlySet<PhotoUse>): Promise<boolean> {
    const made = await store.find(hash);
    return made !== null && [...uses].every((use) => made.uses.includes(use));
  }

  async function isFresh(query: string, uses: ReadonlySet<PhotoUse>): Promise<boolean> {
    const answer = cache.answers[query];
    if (!answer || answer.freshUntil <= now()) return false;
    // The content may use these photos in another way by now, or somebody has cleared the folder.
    return (await Promise.all(answer.photos.map((photo) => hasRenditions(photo, uses)))).every(Boolean);
  }

  async function show(query: string, uses: ReadonlySet<PhotoUse>): Promise<void> {
    const photos = cache.answers[query]?.photos ?? [];
    const isMade = await Promise.all(photos.map((photo) => hasRenditions(photo, uses)));
    shown.set(query, photos.filter((_, index) => isMade[index]).map(asPhoto));
  }

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
    /** The pictures of the last successful search, of any age, whose renditions are made. */
    find: (query: string): Photo[] => shown.get(normalizeKeywords(query)) ?? [],
    /** The hashes of the pictures of all cached searches. */
    used: (): string[] =>
      Object.values(cache.answers).flatMap(({ photos }) => photos.map(({ hash }) => hash)),
    /** Makes the cached results of these searches findable. No request is made. */
    async load(searches: Searches): Promise<void> {
      for (const [query, uses] of searches) await show(query, uses);
    },
    /** Searches for what is missing or stale, fetches the pictures and makes their renditions. @throws where the cache file cannot be written. */
    async refresh(searches: Searches): Promise<void> {
      for (const [query, uses] of searches) {
        if (closing.aborted || (await isFresh(query, uses))) continue;
        if (cache.pausedUntil > now()) return;
        await searchAgain(query, uses);
        // A search that closing has cut short is not cached.
        if (closing.aborted) return;
        await writePexelsCache(path, cache);
        await show(query, uses);
        parts.changed();
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

const asPhoto = ({ hash, averageColour, ...about }: CachedPhoto): Photo =>
  toPhoto({ hash, averageColour }, { ...about, source: 'pexels' });

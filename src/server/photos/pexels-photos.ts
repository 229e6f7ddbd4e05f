import type { Photo, PhotoUse } from '../../model/photo.ts';
import { type Fetched, fetchImage, type ImageLimits, imageLimits, imageOrigin } from './fetch-image.ts';
import type { LogOnce } from './log-once.ts';
import { type PexelsAccess, PexelsHttpError, type PexelsPhoto, searchPexels } from './pexels.ts';
import { type KeptPhoto, readKept, writeKept } from './pexels-cache.ts';
import { photoAddresses } from './photo-addresses.ts';
import { sameWords } from './photo-uses.ts';
import { pictureHash } from './recipe.ts';
import type { RenditionStore } from './rendition-store.ts';

/** As many as the home page picks its cover from. */
const perSearch = 5;
const hourMs = 60 * 60 * 1000;
/** What the service advises. */
const freshMs = 24 * hourMs;
/** Whatever went wrong, asking sooner would hardly mend it, and there are 200 requests an hour. */
const retryMs = hourMs;
/** The service counts by the month; a longer pause is a header that was misread. */
const longestPauseMs = 31 * 24 * hourMs;

type Searches = ReadonlyMap<string, ReadonlySet<PhotoUse>>;

export interface PexelsPhotos {
  /** The last good answer, of any age, as far as its pictures are there. */
  find(query: string): Photo[];
  /** The pictures of all those answers. */
  wanted(): string[];
  /** Finds out what is there for these searches, without asking anyone. */
  look(searches: Searches): Promise<void>;
  /** Asks for what is missing or stale, fetches the pictures and makes their renditions. Never rejects. */
  refresh(searches: Searches): Promise<void>;
}

export interface PexelsPhotosParts {
  access: PexelsAccess;
  /** Where the answers are kept. */
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

export async function openPexelsPhotos(parts: PexelsPhotosParts): Promise<PexelsPhotos> {
  const { access, path, store, now, failedSearches, problems, closing, limits = imageLimits } = parts;
  const origin = imageOrigin(access.url);
  const kept = await readKept(path);
  const shown = new Map<string, Photo[]>();

  const pause = (until: number) => {
    kept.pausedUntil = Math.min(until, now() + longestPauseMs);
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

  async function take(
    photo: PexelsPhoto,
    uses: ReadonlySet<PhotoUse>,
    known: KeptPhoto | undefined,
  ): Promise<KeptPhoto | null> {
    const words = { id: photo.id, alt: photo.alt ?? '', photographer: photo.photographer, url: photo.url };
    const refused = (reason: string) => {
      if (!closing.aborted) problems.warn({ event: 'photo not taken', reference: photo.id, reason });
      return null;
    };
    if (known && (await isThere(known, uses))) return { ...known, ...words };
    const fetched = await fetchLargest(photo);
    if (!fetched.ok) return refused(fetched.problem);
    const hash = pictureHash(fetched.bytes);
    try {
      const source = { hash, read: async () => fetched.bytes, maxPixels: limits.pixels };
      const { averageColour } = await store.make(source, uses);
      return { ...words, hash, averageColour };
    } catch {
      return refused('is broken');
    }
  }

  /** As it was taken, which is what the widest screens need; where that is too large, half their width. */
  async function fetchLargest({ src }: PexelsPhoto): Promise<Fetched> {
    const original = await fetchImage(src.original, origin, limits, closing);
    return !original.ok && original.tooLarge ? fetchImage(src.large2x, origin, limits, closing) : original;
  }

  async function isThere({ hash }: KeptPhoto, uses: ReadonlySet<PhotoUse>): Promise<boolean> {
    const made = await store.find(hash);
    return made !== null && [...uses].every((use) => made.uses.includes(use));
  }

  async function isFresh(query: string, uses: ReadonlySet<PhotoUse>): Promise<boolean> {
    const answer = kept.answers[query];
    if (!answer || answer.freshUntil <= now()) return false;
    // A page may have begun to show these in another way, or someone may have cleared the folder.
    return (await Promise.all(answer.photos.map((photo) => isThere(photo, uses)))).every(Boolean);
  }

  async function show(query: string, uses: ReadonlySet<PhotoUse>): Promise<void> {
    const photos = kept.answers[query]?.photos ?? [];
    const there = await Promise.all(photos.map((photo) => isThere(photo, uses)));
    shown.set(query, photos.filter((_, index) => there[index]).map(asPhoto));
  }

  async function ask(query: string, uses: ReadonlySet<PhotoUse>): Promise<void> {
    const found = await search(query);
    if (!found) return;
    const before = kept.answers[query]?.photos ?? [];
    const photos: KeptPhoto[] = [];
    for (const photo of found) {
      const known = before.find(({ id }) => id === photo.id);
      const taken = await take(photo, uses, known);
      if (taken) photos.push(taken);
    }
    const spoilt = photos.length === 0 && found.length > 0;
    const freshUntil = now() + (spoilt ? retryMs : freshMs);
    kept.answers[query] = { freshUntil, photos: spoilt ? before : photos };
  }

  return {
    find: (query) => shown.get(sameWords(query)) ?? [],
    wanted: () => Object.values(kept.answers).flatMap(({ photos }) => photos.map(({ hash }) => hash)),
    async look(searches) {
      for (const [query, uses] of searches) await show(query, uses);
    },
    async refresh(searches) {
      for (const [query, uses] of searches) {
        if (closing.aborted || (await isFresh(query, uses))) continue;
        if (kept.pausedUntil > now()) return;
        await ask(query, uses);
        // What was cut short says nothing about the service's answer.
        if (closing.aborted) return;
        await writeKept(path, kept);
        await show(query, uses);
        parts.changed();
      }
    },
  };
}

/** The status text, or what kept an answer from coming: fetch hides it in the cause. */
function reasonOf(error: Error): string {
  const { code } = (error.cause ?? {}) as { code?: unknown };
  if (typeof code === 'string') return code;
  return error instanceof PexelsHttpError ? error.message : error.name;
}

function asPhoto({ id, alt, averageColour, photographer, url, hash }: KeptPhoto): Photo {
  return {
    id,
    alt,
    avg_color: averageColour,
    photographer,
    url,
    ...photoAddresses(hash),
    source: 'pexels',
  };
}

import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../files/write-atomically.ts';
import { specsKey } from './rendition-specs.ts';

/** The photo service's search results on disk, so that a start or an outage needs no request. */

const photoSchema = z.object({
  id: z.string(),
  alt: z.string(),
  photographer: z.string(),
  url: z.string(),
  /** Of the picture's bytes as they were fetched. */
  hash: z.string(),
  averageColour: z.string(),
});
const cacheSchema = z.object({
  recipe: z.literal(specsKey),
  /** Milliseconds since 1970. No request is made before this time. */
  pausedUntil: z.number(),
  answers: z.record(z.string(), z.object({ freshUntil: z.number(), photos: z.array(photoSchema) })),
});

export type CachedPhoto = z.output<typeof photoSchema>;
type PexelsCache = z.output<typeof cacheSchema>;

export async function readPexelsCache(path: string): Promise<PexelsCache> {
  try {
    return cacheSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // No file yet, one of other rendition specs, or a damaged one: the searches are made again.
    return { recipe: specsKey, pausedUntil: 0, answers: {} };
  }
}

export async function writePexelsCache(path: string, cache: PexelsCache): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, JSON.stringify(cache, null, 1));
}

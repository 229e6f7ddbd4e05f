import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../files/write-atomically.ts';
import { recipe } from './recipe.ts';

/** What the photo service answered, kept on disk, so that a start or an outage asks nothing of it. */

const keptPhoto = z.object({
  id: z.string(),
  alt: z.string(),
  photographer: z.string(),
  url: z.string(),
  /** Of the picture as it was fetched. */
  hash: z.string(),
  averageColour: z.string(),
});
const keptSchema = z.object({
  recipe: z.literal(recipe),
  /** In milliseconds since 1970; the service is not asked before. */
  pausedUntil: z.number(),
  answers: z.record(z.string(), z.object({ freshUntil: z.number(), photos: z.array(keptPhoto) })),
});

export type KeptPhoto = z.output<typeof keptPhoto>;
export type Kept = z.output<typeof keptSchema>;

export async function readKept(path: string): Promise<Kept> {
  try {
    return keptSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    // None yet, or of another version, or damaged: the service is asked again, which mends it.
    return { recipe, pausedUntil: 0, answers: {} };
  }
}

export async function writeKept(path: string, kept: Kept): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, JSON.stringify(kept, null, 1));
}

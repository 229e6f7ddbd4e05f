import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PhotoUse } from '../../model/photo.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { allUses, type Focus, renditionsFor } from './rendition-specs.ts';
import { decodePicture, encode } from './renditions.ts';

export interface Source {
  hash: string;
  read(): Promise<Buffer>;
  maxPixels: number;
  focus?: Focus | undefined;
}

export type RenditionStore = ReturnType<typeof openRenditionStore>;

interface RenditionStoreParts {
  folder: string;
  shipped?: readonly string[];
  /** Stops making renditions, after the current one. */
  closing: AbortSignal;
}

/** Says of a picture that every rendition for these uses exists. */
const recordSchema = z.object({
  averageColour: z.string().regex(/^#[0-9a-f]{6}$/),
  uses: z.array(z.enum(allUses)),
});
const recordName = 'made.json';
const hashPattern = /^[0-9a-f]{32}$/;
const names = new Set(renditionsFor(allUses).map(({ name }) => name));

async function readRecord(pictureFolder: string): Promise<z.output<typeof recordSchema> | null> {
  try {
    return recordSchema.parse(JSON.parse(await readFile(join(pictureFolder, recordName), 'utf8')));
  } catch {
    // Missing or damaged: the renditions are made again.
    return null;
  }
}

/** Stores renditions in `folder`, one folder a picture. Renditions in `shipped` are found too; nothing is written there. */
export function openRenditionStore({ folder, shipped = [], closing }: RenditionStoreParts) {
  const folders = [...new Set([...shipped, folder])];

  async function findMissing(hash: string, uses: Iterable<PhotoUse>) {
    const records = await Promise.all(folders.map((one) => readRecord(join(one, hash))));
    const made = records.flatMap((record) => record?.uses ?? []);
    const averageColour = records.find((record) => record !== null)?.averageColour ?? null;
    return { averageColour, missing: [...uses].filter((use) => !made.includes(use)) };
  }

  return {
    /** The average colour of a picture. Null where it lacks a rendition for one of the uses. */
    async find(hash: string, uses: Iterable<PhotoUse>): Promise<string | null> {
      const { averageColour, missing } = await findMissing(hash, uses);
      return missing.length === 0 ? averageColour : null;
    },
    /** Makes the renditions that these uses still lack. @throws where the source is no picture. */
    async make({ hash, read, maxPixels, focus }: Source, uses: Iterable<PhotoUse>): Promise<string> {
      const { averageColour, missing } = await findMissing(hash, uses);
      if (averageColour !== null && missing.length === 0) return averageColour;
      const picture = await decodePicture(await read(), maxPixels, focus);
      const pictureFolder = join(folder, hash);
      await mkdir(pictureFolder, { recursive: true });
      for (const rendition of renditionsFor(missing)) {
        closing.throwIfAborted();
        await writeAtomically(join(pictureFolder, rendition.name), await encode(picture, rendition));
      }
      const made = [...((await readRecord(pictureFolder))?.uses ?? []), ...missing];
      const record = { averageColour: picture.averageColour, uses: made };
      // Written last, because the record says that all renditions exist.
      await writeAtomically(join(pictureFolder, recordName), JSON.stringify(record));
      return picture.averageColour;
    },
    /** Null where the name is not a rendition's, or there is no such file. */
    async read(hash: string, name: string): Promise<Buffer | null> {
      if (!hashPattern.test(hash) || !names.has(name)) return null;
      for (const one of folders) {
        try {
          return await readFile(join(one, hash, name));
        } catch (error) {
          // Any other error, such as too many open files, does not mean that the file is missing.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        }
      }
      return null;
    },
    /** Removes the renditions of pictures that are not in use, except those made since. */
    async prune(used: ReadonlySet<string>, madeBefore: Date): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) {
        if (!hashPattern.test(name) || used.has(name)) continue;
        const path = join(folder, name);
        const { mtime } = await stat(path);
        if (mtime < madeBefore) await rm(path, { recursive: true, force: true });
      }
    },
  };
}

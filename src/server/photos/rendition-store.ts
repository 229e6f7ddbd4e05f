import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PhotoUse } from '../../model/photo.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { allUses, type Focus, renditionsFor } from './rendition-specs.ts';
import { decodePicture, encode } from './renditions.ts';

/** The renditions that exist of a picture. */
export interface MadeRenditions {
  averageColour: string;
  /** Every rendition for these uses exists. */
  uses: PhotoUse[];
}

export interface Source {
  hash: string;
  read(): Promise<Buffer>;
  maxPixels: number;
  focus?: Focus | undefined;
}

export interface RenditionStore {
  /** Null where no rendition was made. */
  find(hash: string): Promise<MadeRenditions | null>;
  /** Makes the renditions that these uses still lack, one picture at a time. @throws where the source is no picture. */
  make(source: Source, uses: Iterable<PhotoUse>): Promise<MadeRenditions>;
  /** Null where the name is not a rendition's, or there is no such file. */
  read(hash: string, name: string): Promise<Buffer | null>;
  /** Removes the renditions of pictures that are not in use, except those made since. */
  prune(used: ReadonlySet<string>, madeBefore: Date): Promise<void>;
}

interface RenditionStoreParts {
  folder: string;
  shipped?: readonly string[];
  /** Stops making renditions, after the current one. */
  closing: AbortSignal;
}

const madeSchema = z.object({
  averageColour: z.string().regex(/^#[0-9a-f]{6}$/),
  uses: z.array(z.enum(allUses)),
});
const recordName = 'made.json';
const hashPattern = /^[0-9a-f]{32}$/;
const names = new Set(renditionsFor(allUses).map(({ name }) => name));

/** Stores renditions in `folder`, one folder a picture. Renditions in `shipped` are found too; nothing is written there. */
export function openRenditionStore({ folder, shipped = [], closing }: RenditionStoreParts): RenditionStore {
  const folders = [...new Set([...shipped, folder])];
  let queue: Promise<unknown> = Promise.resolve();

  async function readRecord(path: string): Promise<MadeRenditions | null> {
    try {
      return madeSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch {
      // Missing or damaged: the renditions are made again.
      return null;
    }
  }

  async function find(hash: string): Promise<MadeRenditions | null> {
    const records = await Promise.all(folders.map((one) => readRecord(join(one, hash, recordName))));
    const made = records.filter((record) => record !== null);
    const [first] = made;
    if (!first) return null;
    return {
      averageColour: first.averageColour,
      uses: [...new Set(made.flatMap(({ uses }) => uses))],
    };
  }

  async function makeNow(
    { hash, read, maxPixels, focus }: Source,
    uses: PhotoUse[],
  ): Promise<MadeRenditions> {
    const existing = await find(hash);
    const missing = uses.filter((use) => !existing?.uses.includes(use));
    if (existing && missing.length === 0) return existing;
    const picture = await decodePicture(await read(), maxPixels, focus);
    const pictureFolder = join(folder, hash);
    await mkdir(pictureFolder, { recursive: true });
    for (const rendition of renditionsFor(missing)) {
      closing.throwIfAborted();
      await writeAtomically(join(pictureFolder, rendition.name), await encode(picture, rendition));
    }
    const ownRecord = await readRecord(join(pictureFolder, recordName));
    const made = { averageColour: picture.averageColour, uses: [...(ownRecord?.uses ?? []), ...missing] };
    // Written last, because the record says that all renditions exist.
    await writeAtomically(join(pictureFolder, recordName), JSON.stringify(made));
    return { ...made, uses: [...new Set([...(existing?.uses ?? []), ...missing])] };
  }

  return {
    find,
    make(source, uses) {
      const making = queue.then(() => makeNow(source, [...uses]));
      queue = making.catch(() => {});
      return making;
    },
    async read(hash, name) {
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
    async prune(used, madeBefore) {
      for (const name of await readdir(folder).catch(() => [])) {
        if (!hashPattern.test(name) || used.has(name)) continue;
        const path = join(folder, name);
        const { mtime } = await stat(path);
        if (mtime < madeBefore) await rm(path, { recursive: true, force: true });
      }
    },
  };
}

import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PhotoUse } from '../../model/photo.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { allUses, type Focus, renditionsFor } from './recipe.ts';
import { decodePicture, encode } from './renditions.ts';

/** What is there of a picture. */
export interface Made {
  averageColour: string;
  /** The ways it can be shown: every rendition of theirs is there. */
  uses: PhotoUse[];
}

export interface Source {
  hash: string;
  read(): Promise<Buffer>;
  maxPixels: number;
  focus?: Focus | undefined;
}

export interface RenditionStore {
  /** Null where nothing was made of it. */
  find(hash: string): Promise<Made | null>;
  /** Makes what these uses still lack. Waits for its turn: pictures are made one at a time. @throws where it is no picture. */
  make(source: Source, uses: Iterable<PhotoUse>): Promise<Made>;
  /** Null for any name that is not a rendition's, and where there is no such file. */
  read(hash: string, name: string): Promise<Buffer | null>;
  /** Removes what was made before `before` of pictures that are no longer wanted. */
  prune(wanted: ReadonlySet<string>, before: Date): Promise<void>;
}

export interface RenditionStoreParts {
  folder: string;
  shipped?: readonly string[];
  /** Ends what is being made, after the rendition in hand. */
  closing: AbortSignal;
}

const madeSchema = z.object({
  averageColour: z.string().regex(/^#[0-9a-f]{6}$/),
  uses: z.array(z.enum(allUses)),
});
const recordName = 'made.json';
const hashPattern = /^[0-9a-f]{32}$/;
const names = new Set(renditionsFor(allUses).map(({ name }) => name));

/** Keeps renditions in `folder`, a folder a picture, and finds those in `shipped` as well, which is never written to. */
export function openRenditionStore({ folder, shipped = [], closing }: RenditionStoreParts): RenditionStore {
  const folders = [...new Set([...shipped, folder])];
  let turn: Promise<unknown> = Promise.resolve();

  async function readRecord(path: string): Promise<Made | null> {
    try {
      return madeSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch {
      // Missing, or damaged: then it is made again.
      return null;
    }
  }

  async function find(hash: string): Promise<Made | null> {
    const records = await Promise.all(folders.map((one) => readRecord(join(one, hash, recordName))));
    const made = records.filter((record) => record !== null);
    const [first] = made;
    if (!first) return null;
    return {
      averageColour: first.averageColour,
      uses: [...new Set(made.flatMap(({ uses }) => uses))],
    };
  }

  async function makeNow({ hash, read, maxPixels, focus }: Source, uses: PhotoUse[]): Promise<Made> {
    const before = await find(hash);
    const missing = uses.filter((use) => !before?.uses.includes(use));
    if (before && missing.length === 0) return before;
    const master = await decodePicture(await read(), maxPixels, focus);
    const home = join(folder, hash);
    await mkdir(home, { recursive: true });
    for (const rendition of renditionsFor(missing)) {
      closing.throwIfAborted();
      await writeAtomically(join(home, rendition.name), await encode(master, rendition));
    }
    const own = await readRecord(join(home, recordName));
    const made = { averageColour: master.averageColour, uses: [...(own?.uses ?? []), ...missing] };
    // Last, because it says that all the others are there.
    await writeAtomically(join(home, recordName), JSON.stringify(made));
    return { ...made, uses: [...new Set([...(before?.uses ?? []), ...missing])] };
  }

  return {
    find,
    make(source, uses) {
      const making = turn.then(() => makeNow(source, [...uses]));
      turn = making.catch(() => {});
      return making;
    },
    async read(hash, name) {
      if (!hashPattern.test(hash) || !names.has(name)) return null;
      for (const one of folders) {
        try {
          return await readFile(join(one, hash, name));
        } catch (error) {
          // With no file left to open, say, it would be wrong to answer that there is none.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        }
      }
      return null;
    },
    async prune(wanted, before) {
      for (const name of await readdir(folder).catch(() => [])) {
        if (!hashPattern.test(name) || wanted.has(name)) continue;
        const path = join(folder, name);
        const { mtime } = await stat(path);
        if (mtime < before) await rm(path, { recursive: true, force: true });
      }
    },
  };
}

import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findSpaceProblem } from '../files/free-space.ts';
import { makePrivate } from '../files/private-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { assetTypes, type CompressedFile, readCompressedFile } from './compressed-file.ts';

/**
 * The files of builds that ran before this one, for pages that were left open over an upgrade. All are in one folder,
 * because every name contains a hash of the content; a file's time says when it last belonged to a running build
 * (docs/decisions/0053).
 */
export interface EarlierBuilds {
  /** A file of this build or an earlier one, by its name. Null for any name that is not in the folder. */
  find(name: string): Promise<CompressedFile | null>;
  /** Stores the files of the running build, and erases those that have not run for long. @throws where the disk refuses. */
  persist(): Promise<void>;
}

interface EarlierBuildsParts {
  folder: string;
  /** The files of the running build, by path. */
  current: ReadonlyMap<string, CompressedFile>;
  now: () => Date;
}

/** A browser discards a page that was open for longer, and loads it again when somebody returns to it. */
export const retainMs = 30 * 24 * 3_600_000;
/** About 45 builds. Files are cached in memory once they were asked for, so this bounds the memory too. */
export const maxBytes = 24 * 1024 * 1024;
/** A half-written file that is older was left by a server that died. */
const partMs = 3_600_000;

/** The names of all files that the server writes to the folder, and so of all that it reads or erases. */
const pattern = /^(?<name>\w[\w-]*\.(?:js|css))(?:\.(?:br|gz))?(?<part>\.[\w-]+\.part)?$/;

interface Found {
  /** The name that a page asks for; the same for a file and its compressed copies. */
  name: string;
  path: string;
  bytes: number;
  lastRan: number;
  isPart: boolean;
}

export function createEarlierBuilds({ folder, current, now }: EarlierBuildsParts): EarlierBuilds {
  const running = new Map([...current].map(([path, file]) => [basename(path), file]));
  /** One copy for all requests. */
  const inMemory = new Map<string, Promise<CompressedFile>>();

  async function findAll(): Promise<Found[]> {
    const found = (await readdir(folder)).map(async (file): Promise<Found[]> => {
      const { name, part } = pattern.exec(file)?.groups ?? {};
      if (name === undefined) return [];
      const path = join(folder, file);
      // Another server may have erased the file meanwhile.
      const found = await stat(path).catch(() => null);
      return found
        ? [{ name, path, bytes: found.size, lastRan: found.mtimeMs, isPart: part !== undefined }]
        : [];
    });
    return (await Promise.all(found)).flat();
  }

  async function eraseOld(): Promise<void> {
    const found = await findAll();
    const time = now().getTime();
    await erase(found.filter(({ isPart, lastRan }) => isPart && time - lastRan > partMs));

    const earlier = Map.groupBy(
      found.filter(({ name, isPart }) => !isPart && !running.has(name)),
      ({ name }) => name,
    );
    // The time of the plain file; where it is missing, of a compressed copy.
    const lastRan = (files: readonly Found[]) =>
      (files.find(({ path, name }) => path.endsWith(name)) ?? files[0])?.lastRan ?? 0;
    let bytes = 0;
    for (const [name, files] of [...earlier].toSorted(([, a], [, b]) => lastRan(b) - lastRan(a))) {
      bytes += files.reduce((sum, file) => sum + file.bytes, 0);
      if (bytes <= maxBytes && time - lastRan(files) <= retainMs) continue;
      inMemory.delete(name);
      await erase(files);
    }
  }

  /** The plain file is written last and erased first, so that its compressed copies exist wherever it does. */
  async function write(name: string, { bodies }: CompressedFile): Promise<void> {
    const path = join(folder, name);
    for (const [ending, body] of [
      ['.br', bodies.br],
      ['.gz', bodies.gzip],
      ['', bodies.identity],
    ] as const) {
      const written = await stat(path + ending).catch(() => null);
      if (written?.size !== body.length) await writeAtomically(path + ending, body);
    }
    await utimes(path, now(), now());
  }

  return {
    async find(name) {
      if (pattern.exec(name)?.groups?.name !== name) return null;
      const type = assetTypes[extname(name)] ?? '';
      const reading = inMemory.get(name) ?? readCompressedFile(pathToFileURL(join(folder, name)), type);
      inMemory.set(name, reading);
      try {
        return await reading;
      } catch (error) {
        inMemory.delete(name);
        // Any other error, such as too many open files, does not mean that the file is missing.
        if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
        return null;
      }
    },
    async persist() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      makePrivate(folder, 0o700);
      await eraseOld();
      // The last space on the disk is for requests. The scheduled jobs report that there is little left.
      if ((await findSpaceProblem(folder)) === null) {
        await Promise.all([...running].map(([name, file]) => write(name, file)));
      }
    },
  };
}

async function erase(files: readonly Found[]): Promise<void> {
  const plainFirst = files.toSorted((a, b) => a.path.length - b.path.length);
  for (const { path } of plainFirst) await rm(path, { force: true });
}

import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findSpaceProblem } from '../files/free-space.ts';
import { makePrivate } from '../files/private-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { assetTypes, type CompressedFile, readCompressedFile } from './compressed-file.ts';

/**
 * The files of builds that ran before this one: a page that was left open over an upgrade still asks for its own. They
 * lie flat in one folder, since every name has a hash of the content in it, and a file's time says when it last
 * belonged to a build that ran (docs/decisions/0053).
 */
export interface EarlierBuilds {
  /** A file by its name, of this build or an earlier one. Null for any name that is not in the folder. */
  find(name: string): Promise<CompressedFile | null>;
  /** Writes down what runs now, and erases what has not run for long. @throws where the disk does not let it. */
  keep(): Promise<void>;
}

export interface EarlierBuildsParts {
  folder: string;
  /** The files of the build that runs, by path. */
  current: ReadonlyMap<string, CompressedFile>;
  now: () => Date;
}

/** A page left open for longer has been put away by its browser or its phone, and loads anew when it is looked at. */
export const keptMs = 30 * 24 * 3_600_000;
/** About 45 builds. What was asked for once stays in memory for as long as it is there, so this bounds that too. */
export const keptBytes = 24 * 1024 * 1024;
/** What a server that died left half written. Nobody writes for that long. */
const partMs = 3_600_000;
/** Another server may have brought a newer build. Whoever asks for what is not there costs one look in this time. */
const lookAgainMs = 5_000;

/** All the server ever writes there, and so all that it reads or erases. */
const pattern = /^(?<name>\w[\w-]*\.(?:js|css))(?:\.(?:br|gz))?(?<part>\.[\w-]+\.part)?$/;

interface Found {
  /** What a page asks for; the same for a file and its compressed copies. */
  name: string;
  path: string;
  bytes: number;
  lastRan: number;
  isPart: boolean;
}

export function createEarlierBuilds({ folder, current, now }: EarlierBuildsParts): EarlierBuilds {
  const running = new Map([...current].map(([path, file]) => [path.slice(path.lastIndexOf('/') + 1), file]));
  const inMemory = new Map<string, Promise<CompressedFile>>();
  let names: Promise<ReadonlySet<string>> = Promise.resolve(new Set<string>());
  let lookedAt = Number.NEGATIVE_INFINITY;

  /** The plain file is written last and erased first, so where it is there the compressed ones are too. */
  async function listNames(): Promise<ReadonlySet<string>> {
    const files = await readdir(folder).catch(() => []);
    const listed = new Set(files.filter((file) => pattern.exec(file)?.groups?.name === file));
    for (const name of inMemory.keys()) if (!listed.has(name)) inMemory.delete(name);
    return listed;
  }

  function look(): Promise<ReadonlySet<string>> {
    lookedAt = now().getTime();
    names = listNames();
    return names;
  }

  async function isThere(name: string): Promise<boolean> {
    if ((await names).has(name)) return true;
    const lately = Math.abs(now().getTime() - lookedAt) < lookAgainMs;
    return (await (lately ? names : look())).has(name);
  }

  async function findAll(): Promise<Found[]> {
    const found = (await readdir(folder)).map(async (file): Promise<Found[]> => {
      const { name, part } = pattern.exec(file)?.groups ?? {};
      if (name === undefined) return [];
      const path = join(folder, file);
      // Another server erases too.
      const there = await stat(path).catch(() => null);
      return there
        ? [{ name, path, bytes: there.size, lastRan: there.mtimeMs, isPart: part !== undefined }]
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
    // The plain file's, or of a compressed one that lost it.
    const lastRan = (files: readonly Found[]) =>
      (files.find(({ path, name }) => path.endsWith(name)) ?? files[0])?.lastRan ?? 0;
    let bytes = 0;
    for (const files of [...earlier.values()].toSorted((a, b) => lastRan(b) - lastRan(a))) {
      bytes += files.reduce((sum, file) => sum + file.bytes, 0);
      if (bytes > keptBytes || time - lastRan(files) > keptMs) await erase(files);
    }
  }

  async function writeDown(name: string, { bodies }: CompressedFile): Promise<void> {
    const path = join(folder, name);
    for (const [ending, body] of [
      ['.br', bodies.br],
      ['.gz', bodies.gzip],
      ['', bodies.identity],
    ] as const) {
      const there = await stat(path + ending).catch(() => null);
      if (there?.size !== body.length) await writeAtomically(path + ending, body);
    }
    await utimes(path, now(), now());
  }

  return {
    async find(name) {
      if (!(await isThere(name))) return null;
      const reading =
        inMemory.get(name) ??
        readCompressedFile(pathToFileURL(join(folder, name)), assetTypes[extname(name)] ?? '');
      inMemory.set(name, reading);
      try {
        return await reading;
      } catch (error) {
        inMemory.delete(name);
        // With no file left to open, say, it would be wrong to answer that there is none.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        return null;
      }
    },
    async keep() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      makePrivate(folder, 0o700);
      await eraseOld();
      // The last room on the disk is for requests. Whoever runs the site hears of it from the chores.
      if ((await findSpaceProblem(folder)) === null) {
        await Promise.all([...running].map(([name, file]) => writeDown(name, file)));
      }
      await look();
    },
  };
}

async function erase(files: readonly Found[]): Promise<void> {
  const plainFirst = files.toSorted((a, b) => a.path.length - b.path.length);
  for (const { path } of plainFirst) await rm(path, { force: true });
}

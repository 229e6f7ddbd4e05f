import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { writeSynced } from '../files/synced-file.ts';
import { libraryFolder } from '../photos/library.ts';
import { type Content, readContent } from './content.ts';

/** The last content that was right, kept in the data folder: a start that finds it broken serves this one. */
export interface KeptContent {
  /** Copies the files that the content was read from, unless they are there already. */
  keep(content: Content): Promise<void>;
  /** Null where there is none, or none that this version can read. */
  read(): Promise<Content | null>;
}

const part = '.part';

/**
 * The files themselves and not what was made of them: a newer version puts its own words under them as it does under the
 * trust's. Each copy is a folder named by what is in it, whole or not there at all.
 */
export function createKeptContent(dataDir: string): KeptContent {
  const home = join(dataDir, 'content');
  let turn: Promise<unknown> = Promise.resolve();

  async function findCopies(): Promise<string[]> {
    const names = await readdir(home).catch(() => []);
    const copies = await Promise.all(
      names
        .filter((name) => !name.endsWith(part))
        .map(async (name) => ({ path: join(home, name), at: (await stat(join(home, name))).mtimeMs })),
    );
    return copies.toSorted((a, b) => b.at - a.at).map(({ path }) => path);
  }

  async function keepNow(content: Content): Promise<void> {
    // What is served because the folder is broken is a copy already.
    if (content.folder.startsWith(home + sep)) return;
    const files = await listFiles(content);
    const copy = join(home, await nameOf(content.folder, files));
    if (!(await findCopies()).includes(copy)) await writeCopy(content.folder, files, copy);
    for (const name of await readdir(home)) {
      // One that root made by starting the server once can stay: it is not read.
      if (join(home, name) !== copy)
        await rm(join(home, name), { recursive: true, force: true }).catch(() => {});
    }
  }

  return {
    keep(content) {
      const keeping = turn.then(() => keepNow(content));
      turn = keeping.catch(() => {});
      return keeping;
    },
    async read() {
      for (const copy of await findCopies()) {
        const content = await readContent(copy).catch(() => null);
        if (content) return content;
      }
      return null;
    },
  };
}

/** All but pictures that nothing shows, their renditions, which can be made again, and what editors leave behind. */
async function listFiles({ folder, pictures }: Content): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const photos = join(folder, libraryFolder);
  const shown = new Set(
    ['index.yaml', ...pictures.map(({ file }) => file)].map((name) => join(photos, name)),
  );
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) =>
      path.startsWith(photos + sep) ? shown.has(path) : !/(^|[/\\])\.|~$/.test(path.slice(folder.length + 1)),
    )
    .map((path) => path.slice(folder.length + 1))
    .toSorted();
}

async function nameOf(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = await readFile(join(folder, file));
    hash.update(JSON.stringify([file, bytes.length])).update(bytes);
  }
  return hash.digest('hex').slice(0, 32);
}

async function writeCopy(folder: string, files: readonly string[], copy: string): Promise<void> {
  const unfinished = `${copy}.${randomUUID()}${part}`;
  try {
    for (const file of files) {
      const path = join(unfinished, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, await readFile(join(folder, file)), { flag: writeSynced });
    }
    // Somebody may have saved a file in the meantime; then what they saved is kept next.
    await readContent(unfinished);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { writeSynced } from '../files/synced-file.ts';
import { libraryFolder } from '../photos/library.ts';
import { type Content, readContent } from './content.ts';
import { earlierDefinitionSchema } from './form-schema.ts';
import { confirmationsFile } from './languages/confirmations.ts';
import { languagesFolder } from './languages/read-po.ts';

const partialSuffix = '.part';

/**
 * A copy of the last correct content in the data folder, for a start that finds the content broken.
 *
 * Copies the files and not the content that was read from them, so that a newer version applies its own defaults. Each copy
 * is a folder named by its time, and is either complete or absent.
 */
export function createLastGoodContent(dataDir: string) {
  const copiesFolder = join(dataDir, 'content');
  let queue: Promise<unknown> = Promise.resolve();

  async function saveNow(content: Content): Promise<void> {
    // While the content folder is broken, the served content was read from this copy.
    if (content.folder.startsWith(copiesFolder + sep)) return;
    // Behind the names of version 1, which were hashes.
    const name = `t${Date.now()}`;
    await writeCopy(content.folder, await listFiles(content), join(copiesFolder, name));
    for (const other of await readdir(copiesFolder)) {
      // A copy that root made by starting the server once cannot be erased.
      if (other !== name)
        await rm(join(copiesFolder, other), { recursive: true, force: true }).catch(() => {});
    }
  }

  return {
    /** Copies the files that the content was read from. */
    save(content: Content): Promise<void> {
      const saving = queue.then(() => saveNow(content));
      queue = saving.catch(() => {});
      return saving;
    },
    /** Null where there is no copy, or none that this version can read. */
    async read(): Promise<Content | null> {
      const names = await readdir(copiesFolder).catch(() => []);
      for (const name of names.toSorted().reverse()) {
        if (name.endsWith(partialSuffix)) continue;
        const content = await readContent(join(copiesFolder, name), earlierDefinitionSchema).catch(
          () => null,
        );
        if (content) return content;
      }
      return null;
    },
  };
}

/**
 * All files but unlisted pictures, renditions (which can be made again), translations that cannot be used (which may be of any
 * size) and the temporary files of editors.
 */
async function listFiles({ folder, pictures, languages }: Content): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  /** The folders of which only these files are copied. */
  const listed = new Map([
    [libraryFolder, ['index.yaml', ...pictures.map(({ file }) => file)]],
    [
      languagesFolder,
      [
        basename(confirmationsFile),
        ...languages.flatMap(({ file, content }) => (content ? basename(file) : [])),
      ],
    ],
  ]);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => {
      const [first = '', ...rest] = path.split(sep);
      return listed.get(first)?.includes(rest.join(sep)) ?? !/(^|[/\\])\.|~$/.test(path);
    })
    .toSorted();
}

async function writeCopy(folder: string, files: readonly string[], copy: string): Promise<void> {
  const unfinished = copy + partialSuffix;
  try {
    for (const file of files) {
      const path = join(unfinished, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, await readFile(join(folder, file)), { flag: writeSynced });
    }
    // Fails if a file was changed meanwhile. The content of that change is copied later.
    await readContent(unfinished);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}

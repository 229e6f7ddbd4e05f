import { randomUUID } from 'node:crypto';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { link, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailed } from './command.ts';

/** Files that are named on the command line. Only the person who runs the command can read what is written. */

export function readInput(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new CommandFailed(`${path} could not be read.`, { cause });
  }
}

/** @throws {CommandFailed} if the file exists and `force` is false */
export async function refuseExisting(path: string, force: boolean): Promise<void> {
  if (!force && (await isFile(path))) throw alreadyExists(path);
}

const alreadyExists = (path: string) =>
  new CommandFailed(`${path} already exists. Choose another with --out FILE, or add --force.`);

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Written under a temporary name and then renamed: an existing target may be open elsewhere, and half a file would pass for
 * a whole one.
 */
export async function writeAllOrNothing(
  path: string,
  content: AsyncIterable<string> | Iterable<string>,
  force: boolean,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    // A pipe or a device cannot be replaced.
    const isDevice = await stat(path).then(
      (found) => !found.isFile() && !found.isDirectory(),
      () => false,
    );
    if (isDevice) return await pipeline(Readable.from(content), createWriteStream(path));
    await pipeline(
      Readable.from(content),
      createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true }),
    );
    if (force) return await rename(partial, target);
    // Another program may have taken the name since the check: unlike rename, link fails where the name is taken.
    await link(partial, target).catch(async (error: NodeJS.ErrnoException) => {
      // FAT, as on a memory stick, has no links. There an empty file takes the name first.
      if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(error.code ?? '')) throw error;
      await writeFile(target, '', { flag: 'wx', mode: 0o600 });
      await rename(partial, target);
    });
    await rm(partial, { force: true });
  } catch (error) {
    await rm(partial, { force: true });
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await isFile(path))) throw alreadyExists(path);
    if (!syscall) throw error;
    throw new CommandFailed(`${path} could not be written (${code}).`, { cause: error });
  }
}

/** Never overwrites a file: a private key in it may be the only one that opens what was sealed. */
export function writeNew(path: string, content: string): void {
  try {
    writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    throw new CommandFailed(
      exists ? `${path} already exists. Choose another name.` : `${path} could not be written.`,
      { cause },
    );
  }
}

import { randomUUID } from 'node:crypto';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { writeSynced } from './synced-file.ts';

/**
 * Writes the whole file or nothing: no reader finds half a file, nor does the next start after a power cut.
 *
 * @param mode who may read the file; the owner alone by default
 */
export async function writeAtomically(
  path: string,
  content: Uint8Array | string,
  mode?: number,
): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, content, { flag: writeSynced });
    // The umask would take rights away from a mode given at the opening.
    if (mode !== undefined) await chmod(part, mode);
    await rename(part, path);
  } catch (error) {
    // On a full disk, half a file would take up the space that somebody frees.
    await rm(part, { force: true }).catch(() => {});
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { writeSynced } from './synced-file.ts';

/**
 * The whole file or none: a reader never meets half of it, nor does the next start after a power cut.
 * @param mode who may read it; without it, the owner alone.
 */
export async function writeAtomically(
  path: string,
  content: Uint8Array | string,
  mode?: number,
): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, content, { flag: writeSynced });
    // The umask takes away what a mode at the opening would give.
    if (mode !== undefined) await chmod(part, mode);
    await rename(part, path);
  } catch (error) {
    // On a full disk, half a file would take up the room that somebody makes.
    await rm(part, { force: true }).catch(() => {});
    throw error;
  }
}

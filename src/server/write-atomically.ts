import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { writeSynced } from './synced-file.ts';

/** The whole file or none: a reader never meets half of it, nor does the next start after a power cut. */
export async function writeAtomically(path: string, content: Uint8Array | string): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(part, content, { flag: writeSynced });
    await rename(part, path);
  } catch (error) {
    // On a full disk, half a file would take up the room that somebody makes.
    await rm(part, { force: true }).catch(() => {});
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { chmod, link, open, rename, rm } from 'node:fs/promises';
import { writeSynced } from './synced-file.ts';

interface AtomicWriteOptions {
  /** The permissions, whatever the umask. By default the umask decides. */
  mode?: number;
  /** Nobody but the owner may read the file, at no time. */
  ownerOnly?: boolean;
  /** The name until the file is complete, which a kill leaves behind. Random by default, so that two processes may write at once. */
  part?: string;
  /** Leaves an existing file as it is. */
  ifMissing?: boolean;
  /** The new name survives a power cut too, and not only the content. */
  syncName?: boolean;
}

/** Writes the whole file or nothing: no reader finds half a file, nor does the next start after a power cut. */
export async function writeAtomically(
  path: string,
  content: Uint8Array | string,
  {
    mode,
    ownerOnly = false,
    part = `${path}.${randomUUID()}.part`,
    ifMissing = false,
    syncName = false,
  }: AtomicWriteOptions = {},
): Promise<void> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  let isRenamed = false;
  try {
    const file = await open(part, writeSynced, ownerOnly ? 0o600 : 0o666);
    try {
      await file.writeFile(bytes);
      // The umask would take rights away from a mode given at the opening.
      if (mode !== undefined) await chmod(part, mode);
      if (ifMissing) await link(part, path);
      else await rename(part, path);
      isRenamed = !ifMissing;
      // A synced write also syncs the new name, on ext4, XFS and btrfs.
      if (syncName) await file.write(bytes, 0, 1, 0);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!ifMissing || (error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    // On a full disk, half a file would take up the space that somebody frees. After a rename, a file of this name is another writer's.
    if (!isRenamed) await rm(part, { force: true }).catch(() => {});
  }
}

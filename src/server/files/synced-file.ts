import { closeSync, constants, openSync, readSync, renameSync, writeSync } from 'node:fs';

/**
 * How a file is opened that must outlast a power cut: every write is on the disk when it returns. A sync afterwards
 * would do as well, but Node refuses fsync under its permission model, which the server runs under (deploy/).
 */
export const writeSynced = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_SYNC;

const chunkBytes = 1024 * 1024;

/**
 * Renames a file that SQLite wrote without syncing it. The bytes are on the disk before the file has the new name, and the
 * new name is on the disk when this returns.
 */
export function renameSynced(from: string, to: string): void {
  const file = openSync(from, constants.O_RDWR | constants.O_SYNC);
  try {
    const chunk = Buffer.alloc(chunkBytes);
    let at = 0;
    // O_SYNC flushes the range of the write alone, so every byte is written again, in its place.
    for (let read = 1; read > 0; at += read) {
      read = readSync(file, chunk, 0, chunkBytes, at);
      for (let done = 0; done < read; ) done += writeSync(file, chunk, done, read - done, at + done);
    }
    renameSync(from, to);
    // Syncs the new name too, which is a change of the file itself on ext4, XFS and btrfs.
    if (readSync(file, chunk, 0, 1, 0) > 0) writeSync(file, chunk, 0, 1, 0);
  } finally {
    closeSync(file);
  }
}

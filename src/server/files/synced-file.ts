import { closeSync, constants, openSync, readSync, renameSync, writeSync } from 'node:fs';

/**
 * Flags to open a file that must survive a power cut: each write is on the disk when it returns. An fsync afterwards would do
 * as well, but Node refuses fsync under its permission model, which the server runs under (deploy/).
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
    // O_SYNC flushes only what is written through this handle, so every byte is written again.
    for (let read = 1; read > 0; at += read) {
      read = readSync(file, chunk, 0, chunkBytes, at);
      for (let done = 0; done < read; ) done += writeSync(file, chunk, done, read - done, at + done);
    }
    renameSync(from, to);
    // Another write syncs the new name too: on ext4, XFS and btrfs a rename is a change of the file itself.
    if (readSync(file, chunk, 0, 1, 0) > 0) writeSync(file, chunk, 0, 1, 0);
  } finally {
    closeSync(file);
  }
}

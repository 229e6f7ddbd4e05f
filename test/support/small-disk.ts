import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface SmallDisk {
  path: string;
  /** Fills the disk to the last byte. */
  fill(): void;
  makeRoom(): void;
}

/** Only root can mount a disk, and not on every machine. */
export const canMountDisk = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'awhina-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status === 0;
  if (mounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  return mounted;
})();

/** A disk of a few megabytes that is gone after the test. Whatever uses it must have ended by then. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'awhina-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]);
  if (status !== 0) throw new Error('The disk could not be mounted');
  onTestFinished(() => {
    spawnSync('umount', ['-l', path]);
    rmSync(path, { recursive: true, force: true });
  });
  const filler = join(path, 'filler');
  return {
    path,
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, Buffer.alloc(4_096, 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
  };
}

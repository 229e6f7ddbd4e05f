import { chmodSync } from 'node:fs';

/** Makes every new file of this process readable by its owner alone. Called before anything is written. */
export function setPrivateUmask(): void {
  process.umask(0o077);
}

/**
 * For files that an older version or a restored copy may have left readable by everybody. A missing file, or one that this
 * user may not change, is no error: no request must be refused for it.
 */
export function makePrivate(path: string, mode: 0o600 | 0o700 = 0o600): void {
  try {
    chmodSync(path, mode);
  } catch {}
}

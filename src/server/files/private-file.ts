import { chmodSync } from 'node:fs';

/** What the server writes, no other user of the machine may read. Before anything is written. */
export function writeForOwnerOnly(): void {
  process.umask(0o077);
}

/**
 * For what may be there already, from an older version or a backup put back, and readable by everybody. Where it is
 * not there, or not ours to change, the work goes on: a request must not be refused for it.
 */
export function makePrivate(path: string, mode: 0o600 | 0o700 = 0o600): void {
  try {
    chmodSync(path, mode);
  } catch {}
}

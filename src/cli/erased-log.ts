import { appendFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One line that something was erased, and not what. A log that root wrote is kept beside the new one.
 *
 * @returns what went wrong, since the request is erased by then in any case; null where nothing did
 */
export function logErasing(dataDir: string, at: Date): string | null {
  const path = join(dataDir, 'erased.log');
  const append = () =>
    appendFileSync(path, `${at.toISOString()} one erased on request\n`, { mode: 0o600, flush: true });
  try {
    try {
      append();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
      renameSync(path, `${path}.${at.getTime()}`);
      append();
    }
    return null;
  } catch (error) {
    return `${path} could not be written (${(error as NodeJS.ErrnoException).code}).`;
  }
}

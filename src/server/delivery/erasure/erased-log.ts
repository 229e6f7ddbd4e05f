import { closeSync, constants, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const appendSynced = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_SYNC;

/**
 * One line that something was erased, and not what. A log that root wrote is kept beside the new one.
 *
 * @returns what went wrong, since the request is erased by then in any case; null where nothing did
 */
export function logErasing(dataDir: string, at: Date): string | null {
  const path = join(dataDir, 'erased.log');
  const append = () => {
    const file = openSync(path, appendSynced, 0o600);
    try {
      writeSync(file, `${at.toISOString()} one erased on request\n`);
    } finally {
      closeSync(file);
    }
  };
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

import { accessSync, readdirSync } from 'node:fs';

/** @param mode of node:fs constants, such as R_OK | W_OK. False as well where there is no such path. */
export function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** The names in a folder. None where the folder does not exist or may not be read; `onFailed` is told why. */
export function listFolder(folder: string, onFailed?: (error: NodeJS.ErrnoException) => void): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    onFailed?.(error as NodeJS.ErrnoException);
    return [];
  }
}

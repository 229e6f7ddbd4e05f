import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The paths that are written into a trust's files: they must still be right after an upgrade. */

const project = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[/\\]$/, '');

/** The path through the symlink `current` (docs/installing.md), if it points here: the folder's real name contains the version. */
const productFolder = findStableFolder(project);

/** `awhina` where the machine has a command of that name; never npx, which would offer a stranger's package. */
export const commandPath = pointsTo('/usr/local/bin/awhina', join(project, 'awhina'))
  ? 'awhina'
  : join(productFolder, process.platform === 'win32' ? 'bin/awhina.js' : 'awhina');

/** Where the build writes the JSON Schemas of the files in content/. */
export const schemasFolder = join(productFolder, 'dist/schemas');

/** The same file through the symlink `current`. */
export const stablePath = (path: string): string => join(productFolder, relative(project, path));

export function findStableFolder(folder: string): string {
  const current = join(folder, '../current');
  return pointsTo(current, folder) ? current : folder;
}

function pointsTo(link: string, target: string): boolean {
  try {
    return realpathSync(link) === realpathSync(target);
  } catch {
    return false;
  }
}

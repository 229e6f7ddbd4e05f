import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The paths that are written into a trust's files: they must still be right after an upgrade. */

const project = fileURLToPath(new URL('../../../', import.meta.url)).replace(/[/\\]$/, '');

/** Through the link `current` (docs/installing.md) where it leads here: the folder's own name has a version in it. */
const productFolder = findStable(project);

/** `awhina` where the machine has a command of that name; never npx, which would offer a stranger's package. */
export const command = leadsTo('/usr/local/bin/awhina', join(project, 'awhina'))
  ? 'awhina'
  : join(productFolder, process.platform === 'win32' ? 'bin/awhina.js' : 'awhina');

/** The same file through the link `current`. */
export const stablePath = (path: string): string => join(productFolder, relative(project, path));

export function findStable(folder: string): string {
  const current = join(folder, '../current');
  return leadsTo(current, folder) ? current : folder;
}

function leadsTo(link: string, target: string): boolean {
  try {
    return realpathSync(link) === realpathSync(target);
  } catch {
    return false;
  }
}

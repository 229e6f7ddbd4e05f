import { constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isAllowed } from '../files/access.ts';
import { setPrivateUmask } from '../files/private-file.ts';
import { BadSettings, findFolders, readAsRoot } from '../settings/settings.ts';

/** @types/node lacks initgroups. */
const posix = process as unknown as { initgroups(user: number, group: number): void };

/**
 * Where root starts this process and DATA_DIR belongs to another user, the process becomes that user for good: that user
 * could not read what root writes. Until then only the settings were read, and nothing was written.
 *
 * @returns the name of that user, or null where the process does not change its user
 * @throws {BadSettings} where that user cannot read the product or the settings
 */
export function becomeOwner(): string | null {
  setPrivateUmask();
  if (process.getuid?.() !== 0) return null;
  const { dataDir, file } = findFolders();
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (!owner?.isDirectory() || owner.uid === 0) return null;
  const { uid, gid } = owner;
  readAsRoot();
  try {
    posix.initgroups(uid, gid);
  } catch {
    // A user without a name, as in a container, has no other groups.
    process.setgroups?.([gid]);
  }
  process.setgid?.(gid);
  process.setuid?.(uid);
  const name = userName();
  const cannotRead = (path: string) =>
    new BadSettings(
      `${path} cannot be read by ${name}, who owns DATA_DIR (${dataDir}) and as whom this runs. Let ${name} read it, or put it where ${name} can.`,
    );
  const project = fileURLToPath(new URL('../../../package.json', import.meta.url));
  if (!isAllowed(project, constants.R_OK)) throw cannotRead(project);
  // In a folder that this user may not enter, other settings than root's would be found.
  if (file !== undefined && findFolders().file !== file) throw cannotRead(file);
  return name;
}

/** The user this process runs as. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

import { accessSync, constants, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeForOwnerOnly } from '../files/private-file.ts';
import { BadSettings, findFolders, readAsRoot } from '../settings/settings.ts';
import { databasePath } from '../store/sqlite/database-file.ts';

/** Whose the files in DATA_DIR are. What root writes there, the user of the service cannot read. */

/** @types/node has it not. */
const posix = process as unknown as { initgroups(user: number, group: number): void };

/**
 * What this process writes from here on is for its user alone. Where that is root and DATA_DIR another user's, the process
 * becomes that user, for good. Only the settings were read by then, and nothing was written. Null where nothing had to
 * change.
 *
 * @throws {BadSettings} where that user cannot go on with it
 */
export function becomeOwner(): string | null {
  writeForOwnerOnly();
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
  if (!isAllowed(project, R_OK)) throw cannotRead(project);
  // In a folder that this user may not enter, other settings than root's would be found.
  if (file !== undefined && findFolders().file !== file) throw cannotRead(file);
  return name;
}

/** As whom this runs. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** A file or folder that belongs to somebody else, and that this user cannot read and write. */
export interface ForeignFile {
  path: string;
  uid: number;
  isFolder: boolean;
}

const { R_OK, W_OK, X_OK } = constants;

/** Null where there is nothing, or where this user may not even look. */
function look(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function judge(path: string): ForeignFile | 'folder' | 'fine' {
  const found = look(path);
  if (!found || found.isSymbolicLink()) return 'fine';
  const isFolder = found.isDirectory();
  if (found.uid !== process.getuid?.() && !isAllowed(path, R_OK | W_OK | (isFolder ? X_OK : 0)))
    return { path, uid: found.uid, isFolder };
  return isFolder ? 'folder' : 'fine';
}

/** What lies in a foreign folder is not looked at: it has the same owner. */
export function findForeignFiles(folder: string): ForeignFile[] {
  if (!process.getuid || process.getuid() === 0) return [];
  return list(folder).flatMap((name) => {
    const path = join(folder, name);
    const judged = judge(path);
    if (judged === 'fine') return [];
    return judged === 'folder' ? findForeignFiles(path) : [judged];
  });
}

/** In one sentence, with the command that mends it; null where there is nothing to say. */
export function describeForeignFiles(dataDir: string, files: readonly ForeignFile[]): string | null {
  const [first, ...more] = files;
  if (!first) return null;
  const owner = first.uid === 0 ? 'root' : `the user ${first.uid}`;
  const those = more.length > 0 ? `${first.path} and ${more.length} more belong` : `${first.path} belongs`;
  return `${those} to ${owner}, and cannot be used by ${userName()}. As root: chown -R ${userName()}: ${dataDir}`;
}

/** @throws {BadSettings} where the database is not to be opened because of whose it is. */
export function refuseForeignDatabase(dataDir: string): void {
  // Nothing is foreign to root; what root cannot write is on a disk that nobody can.
  if (process.getuid?.() === 0) return;
  const judged = ['', '-wal', '-shm'].map((ending) => judge(databasePath(dataDir) + ending));
  const problem = describeForeignFiles(
    dataDir,
    judged.filter((one) => typeof one === 'object'),
  );
  if (problem) throw new BadSettings(problem);
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

import { randomUUID } from 'node:crypto';
import { constants, lstatSync, renameSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isAllowed, listFolder } from '../files/access.ts';
import type { Log } from '../log/log.ts';
import { BadSettings } from '../settings/settings.ts';
import { databasePath } from '../store/sqlite/database-file.ts';
import { userName } from './data-owner.ts';

/** A file or folder in DATA_DIR that belongs to another user, most often root, and that this user cannot read and write. */
interface ForeignFile {
  path: string;
  uid: number;
  isFolder: boolean;
}

/** What the server can create again: the last good content, pictures, the secret of the bot check. */
const replaceable = ['content', 'photos', 'bot-check-secret'];

/** The ending of a folder that was renamed out of the way. Nothing reads it, and a user who may can delete it. */
const asideEnding = '.part';

const { R_OK, W_OK, X_OK } = constants;

function classify(path: string): ForeignFile | 'folder' | 'fine' {
  const found = lstatOrNull(path);
  if (!found || found.isSymbolicLink()) return 'fine';
  const isFolder = found.isDirectory();
  if (found.uid !== process.getuid?.() && !isAllowed(path, R_OK | W_OK | (isFolder ? X_OK : 0)))
    return { path, uid: found.uid, isFolder };
  return isFolder ? 'folder' : 'fine';
}

/** Null where there is no such path, or where this user may not see it. */
function lstatOrNull(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

/** The files inside a foreign folder are not listed: they have the same owner. */
export function findForeignFiles(folder: string): ForeignFile[] {
  if (!process.getuid || process.getuid() === 0) return [];
  return listFolder(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = classify(path);
    if (found === 'fine') return [];
    return found === 'folder' ? findForeignFiles(path) : [found];
  });
}

/** One sentence with the command that gives the files back; null where there are none. */
export function describeForeignFiles(dataDir: string, files: readonly ForeignFile[]): string | null {
  const [first, ...more] = files;
  if (!first) return null;
  const owner = first.uid === 0 ? 'root' : `the user ${first.uid}`;
  const subject = more.length > 0 ? `${first.path} and ${more.length} more belong` : `${first.path} belongs`;
  return `${subject} to ${owner}, and cannot be used by ${userName()}. As root: chown -R ${userName()}: ${dataDir}`;
}

/** @throws {BadSettings} where the database belongs to another user */
export function refuseForeignDatabase(dataDir: string): void {
  // No file is foreign to root. A file that root cannot write is on a disk that nobody can write to.
  if (process.getuid?.() === 0) return;
  const found = ['', '-wal', '-shm'].map((ending) => classify(databasePath(dataDir) + ending));
  const problem = describeForeignFiles(
    dataDir,
    found.filter((one) => typeof one === 'object'),
  );
  if (problem) throw new BadSettings(problem);
}

/** @throws {BadSettings} where the database is among the foreign files; the others are only logged */
export function reportForeignFiles(dataDir: string, log: Pick<Log, 'error'>): void {
  refuseForeignDatabase(dataDir);
  const problem = describeForeignFiles(dataDir, findForeignFiles(dataDir));
  if (problem) log.error({ event: 'file of another user', problem });
}

/**
 * Moves foreign files out of the way that the server can create again, but none that holds requests. Called after the
 * content was read: its last good copy may be one of these files. A foreign folder cannot be emptied, only renamed.
 */
export function replaceForeignFiles(dataDir: string, log: Pick<Log, 'warn'>): void {
  const isReplaceable = (path: string) => replaceable.includes(relative(dataDir, path).split(sep)[0] ?? '');
  for (const { path, isFolder } of findForeignFiles(dataDir)) {
    if (!isReplaceable(path) || path.endsWith(asideEnding)) continue;
    try {
      if (isFolder) renameSync(path, `${path}.${randomUUID()}${asideEnding}`);
      else rmSync(path);
      log.warn({ event: 'file of another user replaced', file: path });
    } catch {
      // DATA_DIR itself belongs to another user, which reportForeignFiles has logged.
    }
  }
}

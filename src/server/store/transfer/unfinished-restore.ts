import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chown, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../files/is-running.ts';
import { writeSynced } from '../../files/synced-file.ts';
import { nzTime } from '../../time/nz-time.ts';
import { StoreUnfit } from '../contract/errors.ts';

/** A restore that was started and not finished: part of what it brings is in its place, and part may not be. */
export interface UnfinishedRestore {
  /** Who is at it, or was. */
  pid: number;
  /** The hash of what the backup lists. */
  backup: string;
  madeAt: string;
  requests: number;
  undelivered: number;
  /** Where its content goes, which stays the same however often it is run. */
  contentTarget: string;
  /** The file that becomes the database. Once it has that name, everything is in its place. */
  database?: string | undefined;
}

const markPath = (dataDir: string) => join(dataDir, 'unfinished-restore');
/** Where a backup is unpacked. Nothing in it is needed by the next run, which unpacks anew. */
export const restoringPath = (dataDir: string) => join(dataDir, 'restoring');

/** What tells this file from any other, also after it was renamed. */
export function identifyFile(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}

/** Under one other name until it is whole, so that a kill leaves no more than one file, which the end clears away. */
const partPath = (dataDir: string) => `${markPath(dataDir)}.part`;

export async function writeUnfinishedRestore(dataDir: string, restore: UnfinishedRestore): Promise<void> {
  await writeFile(partPath(dataDir), `${JSON.stringify(restore)}\n`, { flag: writeSynced, mode: 0o600 });
  // The server reads it too, where root restores for another user.
  const { uid, gid } = statSync(dataDir);
  if (process.getuid?.() === 0) await chown(partPath(dataDir), uid, gid);
  await rename(partPath(dataDir), markPath(dataDir));
}

export async function endRestore(dataDir: string): Promise<void> {
  for (const path of [partPath(dataDir), markPath(dataDir)]) await rm(path, { force: true });
}

/** @throws {StoreUnfit} where the mark is damaged: nobody can tell then which backup it was */
export function readUnfinishedRestore(dataDir: string): UnfinishedRestore | null {
  if (!existsSync(markPath(dataDir))) return null;
  const text = readFileSync(markPath(dataDir), 'utf8');
  try {
    return JSON.parse(text) as UnfinishedRestore;
  } catch (cause) {
    throw new StoreUnfit(
      `A restore into ${dataDir} was started and not finished, so requests may be missing, and ${markPath(dataDir)} is damaged. Move ${dataDir} away, and restore the backup again.`,
      { cause },
    );
  }
}

export const describeRestored = ({ madeAt, requests }: Pick<UnfinishedRestore, 'madeAt' | 'requests'>) =>
  `the backup of ${nzTime(new Date(madeAt))} with ${requests} requests`;

/**
 * Nobody may serve from, list or back up half of the requests. What a dead restore has unpacked goes at once: it may be
 * the plain text of a sealed backup.
 *
 * @throws {StoreUnfit} while there is one
 */
export function refuseUnfinishedRestore(dataDir: string): void {
  const restore = readUnfinishedRestore(dataDir);
  if (!restore) return;
  if (isRunning(restore.pid, statSync(markPath(dataDir)).mtime))
    throw new StoreUnfit(`A restore into ${dataDir} is running. Wait until it has finished.`);
  try {
    rmSync(restoringPath(dataDir), { recursive: true, force: true });
  } catch {
    // Killed while root unpacked it. The next run clears it away, or whoever gives the folder back.
  }
  throw new StoreUnfit(
    `A restore into ${dataDir} was started and not finished, so requests may be missing. Run it again, with ${describeRestored(restore)}: awhina restore FILE. To do without it, move ${dataDir} away first.`,
  );
}

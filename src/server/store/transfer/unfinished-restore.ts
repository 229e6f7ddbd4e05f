import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chown, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../files/is-running.ts';
import { writeSynced } from '../../files/synced-file.ts';
import { nzTime } from '../../time/nz-time.ts';
import { StoreUnfit } from '../contract/errors.ts';

/** A restore that was started and not finished: some of its files are there, and some may not be. */
export interface UnfinishedRestore {
  /** The process that restores, or was killed while restoring. */
  pid: number;
  /** The hash of what the backup lists. */
  backup: string;
  madeAt: string;
  requests: number;
  undelivered: number;
  /** The folder for its content, the same however often the restore is run. */
  contentTarget: string;
  /** The file that becomes the database. Once it has that name, the restore is complete. */
  database?: string | null;
}

const recordPath = (dataDir: string) => join(dataDir, 'unfinished-restore');
/** Where a backup is unpacked. Nothing in it is needed by the next run, which unpacks anew. */
export const restoringPath = (dataDir: string) => join(dataDir, 'restoring');

/** The name until the file is whole: a kill leaves at most this file, which the end of the restore removes. */
const partPath = (dataDir: string) => `${recordPath(dataDir)}.part`;

export async function writeUnfinishedRestore(dataDir: string, restore: UnfinishedRestore): Promise<void> {
  await writeFile(partPath(dataDir), `${JSON.stringify(restore)}\n`, { flag: writeSynced, mode: 0o600 });
  // Where root restores for another user, that user's server reads the file too.
  const { uid, gid } = statSync(dataDir);
  if (process.getuid?.() === 0) await chown(partPath(dataDir), uid, gid);
  await rename(partPath(dataDir), recordPath(dataDir));
}

export async function endRestore(dataDir: string): Promise<void> {
  for (const path of [partPath(dataDir), recordPath(dataDir)]) await rm(path, { force: true });
}

/** @throws {StoreUnfit} where the file is damaged: then nobody can tell which backup it was */
export function readUnfinishedRestore(dataDir: string): UnfinishedRestore | null {
  if (!existsSync(recordPath(dataDir))) return null;
  const text = readFileSync(recordPath(dataDir), 'utf8');
  try {
    return JSON.parse(text) as UnfinishedRestore;
  } catch (cause) {
    throw new StoreUnfit(
      `A restore into ${dataDir} was started and not finished, so requests may be missing, and ${recordPath(dataDir)} is damaged. Move ${dataDir} away, and restore the backup again.`,
      { cause },
    );
  }
}

export const describeRestored = ({ madeAt, requests }: Pick<UnfinishedRestore, 'madeAt' | 'requests'>) =>
  `the backup of ${nzTime(new Date(madeAt))} with ${requests} requests`;

/**
 * Half of the requests must not be served, listed or backed up. What a dead restore has unpacked is deleted at once: it may
 * be the plain text of a sealed backup.
 *
 * @throws {StoreUnfit} while there is an unfinished restore
 */
export function refuseUnfinishedRestore(dataDir: string): void {
  const restore = readUnfinishedRestore(dataDir);
  if (!restore) return;
  if (isRunning(restore.pid, statSync(recordPath(dataDir)).mtime))
    throw new StoreUnfit(`A restore into ${dataDir} is running. Wait until it has finished.`);
  try {
    rmSync(restoringPath(dataDir), { recursive: true, force: true });
  } catch {
    // The files belong to root. The next `awhina restore` as root deletes them.
  }
  throw new StoreUnfit(
    `A restore into ${dataDir} was started and not finished, so requests may be missing. Run it again, with ${describeRestored(restore)}: awhina restore FILE. To do without it, move ${dataDir} away first.`,
  );
}

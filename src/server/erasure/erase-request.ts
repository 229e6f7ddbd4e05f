import { constants, existsSync, readFileSync, statSync } from 'node:fs';
import { appendFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eraseMailFiles, findDigestFiles, mailFolderIn } from '../delivery/folder/mail-folder.ts';
import { isRunning } from '../files/is-running.ts';
import { writeSynced } from '../files/synced-file.ts';
import type { Archive } from '../store/contract/archive.ts';
import type { DeliveryQueue } from '../store/contract/delivery-queue.ts';

/** Erases one request because a person asked for it. A marker file outlives a kill, so that the erasure is finished later. */

export type ErasingStore = Pick<Archive, 'eraseOne' | 'scrub'> & Pick<DeliveryQueue, 'retryDeliveries'>;

type Erasure =
  | { kind: 'busy' }
  /**
   * `others`: how many other requests are mailed again, because a digest had them too. `scrubbed`: false where the
   * database's files still hold traces. `notLogged`: why erased.log has no line about the erasure.
   */
  | { kind: 'erased'; others: number; scrubbed: boolean; notLogged: string | null };

const markerPattern = /^unfinished-erase-([0-9A-Z]{4}-[0-9A-Z]{4})$/;
const markerPath = (dataDir: string, reference: string) => join(dataDir, `unfinished-erase-${reference}`);

/**
 * Every step can be repeated. Once the row is erased, only the marker file tells that there is more to do. The marker
 * stays until no file holds anything of the request.
 */
export async function eraseRequest(
  store: ErasingStore,
  dataDir: string,
  reference: string,
): Promise<Erasure> {
  const path = markerPath(dataDir, reference);
  const before = readMarker(path);
  await writeMarker(path, before?.step ?? 'erasing');
  const mailFolder = mailFolderIn(dataDir);
  if ((await store.eraseOne(reference, new Date())) === 'busy') {
    if (!before) await rm(path, { force: true });
    return { kind: 'busy' };
  }
  const digests = await findDigestFiles(mailFolder, reference);
  // The other requests of a digest are mailed again, each by itself, before the digest is erased.
  const others = digests.flatMap(({ unread }) => unread).filter((one) => one !== reference);
  for (const other of others) await store.retryDeliveries({ reference: other }, new Date());
  for (const { path } of digests) await rm(path, { force: true });
  await eraseMailFiles(mailFolder, [reference]);
  let notLogged: string | null = null;
  if (before?.step !== 'scrubbing') {
    notLogged = await logErasing(dataDir, new Date());
    await writeMarker(path, 'scrubbing');
  }
  const scrubbed = await store.scrub();
  if (scrubbed) await rm(path, { force: true });
  return { kind: 'erased', others: others.length, scrubbed, notLogged };
}

/** At 'scrubbing' the line in the log is written already. */
type Step = 'erasing' | 'scrubbing';

async function writeMarker(path: string, step: Step): Promise<void> {
  await writeFile(path, `${process.pid} ${step}\n`, { mode: 0o600, flag: writeSynced });
}

function readMarker(path: string): { step: Step; isAtWork: boolean } | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  const [pid, step] = readFileSync(path, 'utf8').trim().split(' ');
  return {
    step: step === 'scrubbing' ? step : 'erasing',
    isAtWork: isRunning(Number(pid), found.mtime),
  };
}

export const isErasureUnfinished = (dataDir: string, reference: string): boolean =>
  existsSync(markerPath(dataDir, reference));

/** Finishes erasures of killed commands. Not those whose process still runs. */
export async function finishErasures(store: ErasingStore, dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const reference = markerPattern.exec(name)?.[1];
    if (reference && readMarker(join(dataDir, name))?.isAtWork === false)
      await eraseRequest(store, dataDir, reference);
  }
}

const appendSynced = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_SYNC;

/**
 * Appends one line that a request was erased, and not which. A log that root wrote is renamed, and a new one begun.
 *
 * @returns why there is no line, as a value since the request is erased in any case; null where there is one
 */
async function logErasing(dataDir: string, at: Date): Promise<string | null> {
  const path = join(dataDir, 'erased.log');
  const line = `${at.toISOString()} one erased on request\n`;
  const append = () => appendFile(path, line, { mode: 0o600, flag: appendSynced });
  try {
    await append().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EACCES') throw error;
      await rename(path, `${path}.${at.getTime()}`);
      await append();
    });
    return null;
  } catch (error) {
    return `${path} could not be written (${(error as NodeJS.ErrnoException).code}).`;
  }
}

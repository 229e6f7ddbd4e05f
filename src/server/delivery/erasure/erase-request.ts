import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../files/is-running.ts';
import { writeSynced } from '../../files/synced-file.ts';
import type { Archive } from '../../store/contract/archive.ts';
import type { DeliveryQueue } from '../../store/contract/delivery-queue.ts';
import { unfinishedMovePath } from '../../store/transfer/move-everything.ts';
import { eraseMailFiles, findDigestFiles, mailFolderIn } from '../folder/mail-folder.ts';

/** Erases one request on request. An erasure that was killed leaves a marker file, and can be run again. */

export type ErasingStore = Pick<Archive, 'eraseOne' | 'scrub'> & Pick<DeliveryQueue, 'retryDeliveries'>;

type Erasure =
  | { kind: 'busy' }
  /**
   * `others` are mailed again; `scrubbed` is false where the database's files still hold traces; `notLogged` says why the
   * log has no line about it.
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
    notLogged = logErasing(dataDir, new Date());
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

/** Finishes erasures of killed commands. An erasure whose process still runs is left alone. */
export async function finishErasures(store: ErasingStore, dataDir: string): Promise<void> {
  // During a move another database may have a copy of the request, which would come back.
  if (existsSync(unfinishedMovePath(dataDir))) return;
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
function logErasing(dataDir: string, at: Date): string | null {
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

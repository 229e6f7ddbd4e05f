import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../files/is-running.ts';
import { writeSynced } from '../../files/synced-file.ts';
import type { Archive } from '../../store/contract/archive.ts';
import type { DeliveryQueue } from '../../store/contract/delivery-queue.ts';
import { unfinishedMovePath } from '../../store/transfer/unfinished-move.ts';
import { eraseDigestFiles, findDigestFiles } from '../folder/digest-files.ts';
import { eraseMailFiles } from '../folder/mail-folder.ts';
import { logErasing } from './erased-log.ts';

/** Erases one request on request. An erasure that was killed is known by the file it leaves, and can be run again. */

export type ErasingStore = Pick<Archive, 'eraseOne' | 'scrub'> & Pick<DeliveryQueue, 'retryDeliveries'>;

export type Erasure =
  | { kind: 'busy' }
  /**
   * `others` are mailed again; `scrubbed` is false where the database's files still hold traces; `notLogged` says why the
   * log has no line about it.
   */
  | { kind: 'erased'; others: number; scrubbed: boolean; notLogged: string | null };

const markPattern = /^unfinished-erase-([0-9A-Z]{4}-[0-9A-Z]{4})$/;
const markPath = (dataDir: string, reference: string) => join(dataDir, `unfinished-erase-${reference}`);

/**
 * Each step does no harm when it is done again; once the row is gone, only the mark tells that there is more to do. It
 * stays until nothing of the request is left in any file.
 */
export async function eraseRequest(
  store: ErasingStore,
  dataDir: string,
  reference: string,
): Promise<Erasure> {
  const path = markPath(dataDir, reference);
  const before = readMark(path);
  await writeMark(path, before?.step ?? 'erasing');
  const mailFolder = join(dataDir, 'mail');
  if ((await store.eraseOne(reference, new Date())) === 'busy') {
    if (!before) await rm(path, { force: true });
    return { kind: 'busy' };
  }
  const held = await findDigestFiles(mailFolder, reference);
  // The others that lie in one mail with it are written anew, each by itself, before that mail goes.
  const others = held.flatMap(({ unread }) => unread).filter((one) => one !== reference);
  for (const other of others) await store.retryDeliveries({ reference: other }, new Date());
  await eraseDigestFiles(held);
  await eraseMailFiles(mailFolder, [reference]);
  let notLogged: string | null = null;
  if (before?.step !== 'scrubbing') {
    notLogged = logErasing(dataDir, new Date());
    await writeMark(path, 'scrubbing');
  }
  const scrubbed = await store.scrub();
  if (scrubbed) await rm(path, { force: true });
  return { kind: 'erased', others: others.length, scrubbed, notLogged };
}

/** While scrubbing, the log has its line already. */
type Step = 'erasing' | 'scrubbing';

async function writeMark(path: string, step: Step): Promise<void> {
  await writeFile(path, `${process.pid} ${step}\n`, { mode: 0o600, flag: writeSynced });
}

function readMark(path: string): { step: Step; isAtWork: boolean } | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  const [pid, step] = readFileSync(path, 'utf8').trim().split(' ');
  return {
    step: step === 'scrubbing' ? step : 'erasing',
    isAtWork: isRunning(Number(pid), found.mtime),
  };
}

export const isErasureUnfinished = (dataDir: string, reference: string): boolean =>
  existsSync(markPath(dataDir, reference));

/** Finishes what a killed command began, and leaves alone what one that runs is doing. */
export async function finishErasures(store: ErasingStore, dataDir: string): Promise<void> {
  // Until the move is ended there may be a copy in another database, which would come back.
  if (existsSync(unfinishedMovePath(dataDir))) return;
  for (const name of await readdir(dataDir).catch(() => [])) {
    const reference = markPattern.exec(name)?.[1];
    if (reference && readMark(join(dataDir, name))?.isAtWork === false)
      await eraseRequest(store, dataDir, reference);
  }
}

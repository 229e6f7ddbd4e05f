import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { writeSynced } from '../synced-file.ts';

/** The whole file or none: a reader never meets half of it, nor does the next start after a power cut. */
export async function writeAtomically(path: string, content: Uint8Array | string): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  await writeFile(part, content, { flag: writeSynced });
  await rename(part, path);
}

import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { digestName } from '../mail.ts';
import { readFolder } from './mail-folder.ts';

export interface DigestFile {
  path: string;
  /** The requests in the file that nobody may have read yet. */
  unread: string[];
}

const namePattern = new RegExp(`^\\.?${digestName('.*')}\\.eml(\\.partial)?$`);
/** As letter-text.ts writes it; visitors' words are indented, and cannot match. */
const referenceLine = /^Reference: +(\S+)$/gm;

/** The digests in the folder that hold this request. A digest is named after one of its requests only. */
export async function findDigestFiles(folder: string, reference: string): Promise<DigestFile[]> {
  return [
    ...(await findIn(folder, reference)),
    // Staff have read these: the other requests in them need not be sent again.
    ...(await findIn(readFolder(folder), reference)).map((file) => ({ ...file, unread: [] })),
  ];
}

async function findIn(folder: string, reference: string): Promise<DigestFile[]> {
  const names = await readdir(folder).catch(() => []);
  const found: DigestFile[] = [];
  for (const name of names.filter((one) => namePattern.test(one))) {
    const path = join(folder, name);
    const { text = '' } = await PostalMime.parse(await readFile(path));
    const references = [...text.matchAll(referenceLine)].map(([, one = '']) => one);
    // A partial file of a crash was never delivered, and may have lost the line with the reference.
    if (name.startsWith('.')) found.push({ path, unread: [] });
    else if (references.includes(reference)) found.push({ path, unread: references });
  }
  return found;
}

export async function eraseDigestFiles(files: readonly DigestFile[]): Promise<void> {
  for (const { path } of files) await rm(path, { force: true });
}

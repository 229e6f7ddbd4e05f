import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { digestName } from '../mail.ts';
import { readFolder } from './mail-folder.ts';

export interface DigestFile {
  path: string;
  /** Every request in it that nobody may have read yet. */
  unread: string[];
}

const namePattern = new RegExp(`^\\.?${digestName('.*')}\\.eml(\\.partial)?$`);
/** As the letter sets it; what visitors wrote stands in from the edge. */
const referenceLine = /^Reference: +(\S+)$/gm;

/** The mails in the folder that hold this request together with others. Such a mail has the name of one of them only. */
export async function findDigestFiles(folder: string, reference: string): Promise<DigestFile[]> {
  return [
    ...(await findIn(folder, reference)),
    // Staff have these: the others in them need not come again.
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
    // One that a crash cut off was never delivered, and may not tell any more whose words it has.
    if (name.startsWith('.')) found.push({ path, unread: [] });
    else if (references.includes(reference)) found.push({ path, unread: references });
  }
  return found;
}

export async function eraseDigestFiles(files: readonly DigestFile[]): Promise<void> {
  for (const { path } of files) await rm(path, { force: true });
}

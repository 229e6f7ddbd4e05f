import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { heldName } from './mail.ts';

export interface HeldFile {
  path: string;
  /** Every request in it that nobody has read. */
  references: string[];
}

const namePattern = new RegExp(`^\\.?${heldName('.*')}\\.eml(\\.partial)?$`);
/** As the letter sets it; what visitors wrote stands in from the edge. */
const referenceLine = /^Reference: +(\S+)$/gm;

/** The mails in the folder that hold this request together with others. Such a mail has the name of one of them only. */
export async function findHeldFiles(folder: string, reference: string): Promise<HeldFile[]> {
  const unread = await findIn(folder, reference);
  // The others in one that was read need not be mailed again.
  const read = (await findIn(join(folder, 'read'), reference)).map(({ path }) => ({ path, references: [] }));
  return [...unread, ...read];
}

async function findIn(folder: string, reference: string): Promise<HeldFile[]> {
  const names = await readdir(folder).catch(() => []);
  const found: HeldFile[] = [];
  for (const name of names.filter((one) => namePattern.test(one))) {
    const path = join(folder, name);
    const { text = '' } = await PostalMime.parse(await readFile(path));
    const references = [...text.matchAll(referenceLine)].map(([, one = '']) => one);
    // One that a crash cut off was never delivered, and may not tell any more whose words it has.
    if (name.startsWith('.')) found.push({ path, references: [] });
    else if (references.includes(reference)) found.push({ path, references });
  }
  return found;
}

export async function eraseHeldFiles(files: readonly HeldFile[]): Promise<void> {
  for (const { path } of files) await rm(path, { force: true });
}

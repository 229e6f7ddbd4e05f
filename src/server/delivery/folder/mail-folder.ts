import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestName, requestsHeader } from '../mail.ts';

/**
 * The folder that mail lies in where there is no mail server. Nobody knows whether somebody looks there, so what lies
 * in it counts as unread until somebody says otherwise, or takes the file away; and it is not erased before.
 */

export interface UnreadMail {
  file: string;
  /** Of the requests in it. */
  references: string[];
}

/** Where what was read lies until its request is erased. */
export const readFolder = (folder: string) => join(folder, 'read');

/** A request's own mail, or one with several. Notices to staff have other names: they hold no request. */
const pattern = /^(held-)?([0-9A-Z]{4}-[0-9A-Z]{4})\.eml$/;
const headBytes = 16_384;

export const describeUnread = (count: number): string =>
  count === 1 ? '1 mail that nobody has read lies' : `${count} mails that nobody has read lie`;

export async function countUnread(folder: string): Promise<number> {
  return (await listFiles(folder)).length;
}

export async function findUnread(folder: string): Promise<UnreadMail[]> {
  const files = await listFiles(folder);
  return Promise.all(files.map(async (file) => ({ file, references: await findReferences(folder, file) })));
}

/** Puts these with what was read. Those that are not there any more are no matter. */
export async function markRead(folder: string, files: readonly string[]): Promise<void> {
  await mkdir(readFolder(folder), { recursive: true, mode: 0o700 });
  for (const file of files) {
    await rename(join(folder, file), join(readFolder(folder), file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

/** Also what a crash left half written. Files that are not there are no matter: most mail went by SMTP. */
export async function eraseMailFiles(folder: string, references: readonly string[]): Promise<void> {
  for (const name of references.flatMap((reference) => [reference, digestName(reference)]))
    await eraseFile(folder, name);
}

export async function eraseFile(folder: string, name: string): Promise<void> {
  const places = [`${name}.eml`, partialName(name), join('read', `${name}.eml`)];
  for (const place of places) await rm(join(folder, place), { force: true });
}

/** What was read and whose request is gone already: another server's, perhaps, or one of several in a mail. */
export async function eraseReadMail(folder: string, until: Date): Promise<void> {
  for (const file of await listFiles(readFolder(folder))) {
    const path = join(readFolder(folder), file);
    if ((await stat(path)).mtime <= until) await rm(path, { force: true });
  }
}

export const partialName = (name: string): string => `.${name}.eml.partial`;

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    // A folder that is not there, or has something else in its place.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return names.filter((name) => pattern.test(name));
}

async function findReferences(folder: string, file: string): Promise<string[]> {
  const [, held, reference = ''] = pattern.exec(file) ?? [];
  if (!held) return [reference];
  // A long line of the head goes on in the next, behind a space.
  const head = (await readHead(join(folder, file))).replace(/\r\n[ \t]+/g, ' ');
  const listed = new RegExp(`^${requestsHeader}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  return [...new Set([reference, ...listed.split(/[ ,]+/).filter(Boolean)])];
}

/** Empty where somebody has taken it away meanwhile. */
async function readHead(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => null);
  if (!file) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestName, requestsHeader } from '../mail.ts';

/**
 * The folder of mail where there is no mail server. A file counts as unread until somebody marks it as read or removes
 * it. Only one that is marked says that somebody has seen its requests.
 */

interface FoundMail {
  file: string;
  /** The requests in the file. */
  references: string[];
}

export const mailFolderIn = (dataDir: string): string => join(dataDir, 'mail');

/** Mail that was read stays here until its request is erased. */
const readFolder = (folder: string) => join(folder, 'read');

/** A request's own mail, or a digest. Notices to staff, which hold no request, have other names. */
const mailFilePattern = /^(held-)?([0-9A-Z]{4}-[0-9A-Z]{4})\.eml$/;
/** Enough for the headers of a digest. */
const headBytes = 16_384;

export const describeUnread = (count: number): string =>
  count === 1 ? '1 mail that nobody has read lies' : `${count} mails that nobody has read lie`;

export async function countUnread(folder: string): Promise<number> {
  return (await listFiles(folder)).length;
}

export async function findUnread(folder: string): Promise<FoundMail[]> {
  const files = await listFiles(folder);
  return Promise.all(files.map(async (file) => ({ file, references: await findReferences(folder, file) })));
}

/** What somebody marked as read, by the command or by moving the file. */
export const findReadMail = (folder: string): Promise<FoundMail[]> => findUnread(readFolder(folder));

/** The requests that are in an unread file. */
export async function findUnreadReferences(folder: string): Promise<Set<string>> {
  return new Set((await findUnread(folder)).flatMap(({ references }) => references));
}

/** Moves files to the folder of read mail. Missing files are ignored. */
export async function markRead(folder: string, files: readonly string[]): Promise<void> {
  await mkdir(readFolder(folder), { recursive: true, mode: 0o700 });
  for (const file of files) {
    await rename(join(folder, file), join(readFolder(folder), file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

/** Erases the partial files of a crash too. Missing files are ignored: most mail went by SMTP. */
export async function eraseMailFiles(folder: string, references: readonly string[]): Promise<void> {
  for (const name of references.flatMap((reference) => [reference, digestName(reference)]))
    await eraseMailFile(folder, name);
}

export async function eraseMailFile(folder: string, name: string): Promise<void> {
  const paths = [`${name}.eml`, partialName(name), join('read', `${name}.eml`)];
  for (const path of paths) await rm(join(folder, path), { force: true });
}

/** Erases the file where it is a digest, whose requests are about to be mailed one by one. */
export async function eraseDigest(folder: string, file: string): Promise<void> {
  if (mailFilePattern.exec(file)?.[1]) await rm(join(folder, file), { force: true });
}

/** Erases old read mail, for requests that are gone already: another server erased the request, or a digest held it. */
export async function eraseReadMail(folder: string, movedBefore: Date): Promise<void> {
  for (const file of await listFiles(readFolder(folder))) {
    const path = join(readFolder(folder), file);
    // Its mtime is when it was written.
    if ((await stat(path)).ctime <= movedBefore) await rm(path, { force: true });
  }
}

interface DigestFile {
  path: string;
  /** The requests in the file that nobody may have read yet. */
  unread: string[];
}

const partialDigest = /^\.held-.*\.eml\.partial$/;

/** The digests in the folder that hold this request. A digest is named after one of its requests only. */
export async function findDigestFiles(folder: string, reference: string): Promise<DigestFile[]> {
  const found: DigestFile[] = [];
  for (const directory of [folder, readFolder(folder)]) {
    for (const file of await readdir(directory).catch(() => [])) {
      const path = join(directory, file);
      // A partial file of a crash was never delivered, and may have lost the header with the references.
      if (partialDigest.test(file)) found.push({ path, unread: [] });
      if (!mailFilePattern.exec(file)?.[1]) continue;
      const references = await findReferences(directory, file);
      // Staff have read what is in the folder of read mail: the other requests need not be sent again.
      if (references.includes(reference))
        found.push({ path, unread: directory === folder ? references : [] });
    }
  }
  return found;
}

export const partialName = (name: string): string => `.${name}.eml.partial`;

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    // There is no folder, or a file of that name.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return names.filter((name) => mailFilePattern.test(name));
}

async function findReferences(folder: string, file: string): Promise<string[]> {
  const [, held, reference = ''] = mailFilePattern.exec(file) ?? [];
  if (!held) return [reference];
  // Long header lines are folded: the next line begins with a space.
  const head = (await readHead(join(folder, file))).replace(/\r\n[ \t]+/g, ' ');
  const listed = new RegExp(`^${requestsHeader}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  return [...new Set([reference, ...listed.split(/[ ,]+/).filter(Boolean)])];
}

/** '' where somebody has removed the file meanwhile. */
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

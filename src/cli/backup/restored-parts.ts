import { chmodSync, createWriteStream, existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import type { Settings } from '../../server/settings/settings.ts';
import type { CountRow } from '../../server/store/contract/counts.ts';
import { isCount } from '../../server/store/rows/counting.ts';
import type { TransferRow } from '../../server/store/rows/transfer-row.ts';
import { databasePath } from '../../server/store/sqlite/database-file.ts';
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts';
import {
  inspectCopy,
  type RequestTally,
  readDatabase,
  rebuildCopy,
  resetCopy,
} from '../../server/store/transfer/database-copy.ts';
import { mendRow } from '../../server/store/transfer/mended-rows.ts';
import { CommandFailed } from '../command.ts';
import { type Manifest, readBackup } from './backup-file.ts';
import { entryFolders, entryNames, parseCounts, parseRows } from './backup-parts.ts';

export interface Unpacked {
  folder: string;
  manifest: Manifest;
  /** Files with the requests of PostgreSQL. */
  rowFiles: string[];
  /** How many changes the rows needed. */
  mended: number;
}

/** False for a name that no backup has, and for a path that leads out of the folder. */
function isOurs(name: string): boolean {
  if (Object.values<string>(entryNames).includes(name)) return true;
  const [first = '', ...rest] = name.split('/');
  return (
    Object.values<string>(entryFolders).includes(first) &&
    rest.length > 0 &&
    rest.every((part) => part !== '' && !part.startsWith('.') && !/[\\\0]/.test(part))
  );
}

/** What a file system says of a file where a folder is, or the other way round. */
const clashes = ['EEXIST', 'EISDIR', 'ENOTDIR'];

/** Unpacks the whole file and checks it, before anything is put where the site reads it. */
export async function unpack(
  path: string,
  identities: string | null,
  folder: string,
  say: (step: string) => void,
): Promise<Unpacked> {
  const rowFiles: string[] = [];
  const manifest = await readBackup(path, identities, async (name, body) => {
    if (!isOurs(name)) throw new CommandFailed(`${path} holds something that no backup has.`);
    say(name);
    const target = join(folder, name);
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(
        Readable.from(body),
        createWriteStream(target, { mode: 0o600, flags: 'wx', flush: true }),
      );
    } catch (cause) {
      if (!clashes.includes((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
      throw new CommandFailed(`${path} has a file and a folder of one name, at ${name}.`, { cause });
    }
    if (name.startsWith(`${entryFolders.rows}/`)) rowFiles.push(target);
  });
  const file = databasePath(folder);
  const found = existsSync(file) ? rebuildDatabase(path, file) : { ...nothing };
  try {
    for (const one of rowFiles) await addRows(one, found);
  } catch (cause) {
    throw new CommandFailed(`${path} has a request that cannot be read.`, { cause });
  }
  if (found.said !== manifest.requests)
    throw new CommandFailed(`${path} is incomplete: it holds fewer requests than it says.`);
  const { requests, undelivered, mended } = found;
  return { folder, manifest: { ...manifest, requests, undelivered }, rowFiles, mended };
}

interface Found extends RequestTally {
  /** How many requests there were before anything was mended. */
  said: number;
  mended: number;
}

const nothing: Found = { requests: 0, undelivered: 0, said: 0, mended: 0 };

async function addRows(path: string, found: Found): Promise<void> {
  for (const row of parseRows(await readFile(path, 'utf8'))) {
    const mended = mendRow(row);
    found.said++;
    found.requests++;
    if (mended.deliveredAt === null) found.undelivered++;
    if (!isDeepStrictEqual(mended, row)) found.mended++;
  }
}

/** SQLite's codes for a disk that fails: a file that cannot be written or opened, and no space left. */
const diskProblems = [8, 10, 13, 14];

/** What is in the unpacked database, whose rows then are in tables of ours. */
function rebuildDatabase(backup: string, file: string): Found {
  try {
    const { requests: said, mended } = rebuildCopy(file);
    return { ...inspectCopy(file), said, mended };
  } catch (cause) {
    const code = (cause as { errcode?: number }).errcode;
    if (code === undefined || diskProblems.includes(code & 0xff)) throw cause;
    throw new CommandFailed(
      `The database in ${backup} cannot be read. Unpack the backup with tar, and use awhina salvage.`,
      { cause },
    );
  }
}

const readRowFile = async (path: string): Promise<TransferRow[]> =>
  parseRows(await readFile(path, 'utf8')).map((row) => ({ ...mendRow(row), leasedUntil: null }));

const readCountFile = async (folder: string): Promise<CountRow[]> =>
  parseCounts(await readFile(join(folder, entryNames.counts), 'utf8').catch(() => ''));

/** For a person to look through: the settings, and the content where CONTENT_DIR is not empty. */
export const reviewFolder = (dataDir: string) => join(dataDir, 'restored');

/** Puts everything but the requests where it belongs. Existing files stay, so that it can be repeated after a kill. */
export async function restoreFiles(
  { folder }: Unpacked,
  { dataDir, contentDir }: Settings,
  contentTarget: string,
  say: (line: string) => void,
) {
  const has = (name: string) => existsSync(join(folder, name));
  if (has(entryFolders.mail)) {
    await mkdir(mailFolderIn(dataDir), { recursive: true, mode: 0o700 });
    await cp(join(folder, entryFolders.mail), mailFolderIn(dataDir), { recursive: true });
  }
  for (const name of [entryNames.secret, entryNames.erased])
    if (has(name) && !existsSync(join(dataDir, name))) await rename(join(folder, name), join(dataDir, name));
  const review = reviewFolder(dataDir);
  await mkdir(review, { recursive: true, mode: 0o700 });
  if (has(entryFolders.content)) {
    await cp(join(folder, entryFolders.content), contentTarget, { recursive: true });
    if (contentTarget === contentDir) makePublic(contentTarget);
    say(
      contentTarget === contentDir
        ? `The content is in ${contentTarget}.`
        : `The content is in ${contentTarget}: ${contentDir} is not empty and stays as it is.`,
    );
  }
  if (has(entryNames.settings)) {
    await rename(join(folder, entryNames.settings), join(review, entryNames.settings));
    say(`The settings are in ${join(review, entryNames.settings)}, for you to look through.`);
  }
}

/** The server most often runs as another user than the one who restores, and must be able to read the content. */
function makePublic(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  chmodSync(folder, 0o755);
}

/** The last step: all requests or none. `onReady` gets the file that is about to become the database, and releases the lock. */
export async function restoreRequests(
  unpacked: Unpacked,
  settings: Settings,
  onReady: (file: string) => Promise<void>,
): Promise<void> {
  const { folder, rowFiles } = unpacked;
  const file = databasePath(folder);
  if (existsSync(file)) resetCopy(file);
  if (settings.databaseUrl) return restoreToPostgres(unpacked, settings.databaseUrl);
  if (rowFiles.length > 0 || existsSync(join(folder, entryNames.counts)) || !existsSync(file)) {
    const store = await openSqliteStore(folder);
    try {
      for (const one of rowFiles) await store.importRows(await readRowFile(one));
      await store.mergeCounts(await readCountFile(folder));
    } finally {
      await store.close();
    }
  }
  await onReady(file);
  await rename(file, databasePath(settings.dataDir));
}

async function restoreToPostgres({ folder, rowFiles }: Unpacked, url: string): Promise<void> {
  const { openPostgresStore } = await import('../../server/store/postgres/postgres-store.ts');
  const rows: TransferRow[] = [];
  const counts = await readCountFile(folder);
  // Rows of PostgreSQL first: a request that was transferred there during the backup is in the file too, and already counted in these.
  for (const one of rowFiles) rows.push(...(await readRowFile(one)));
  const addCounts = (more: CountRow[]) => {
    for (const one of more) counts.push(one);
  };
  if (existsSync(databasePath(folder)))
    for await (const batch of readDatabase(folder, addCounts)) rows.push(...batch.map(mendRow));
  const store = await openPostgresStore(url, () => {}, { migrates: 'if new' });
  try {
    // One transaction each; the requests first, because they matter more.
    await store.importRows(rows);
    await store.mergeCounts(counts.filter(isCount));
  } finally {
    await store.close();
  }
}

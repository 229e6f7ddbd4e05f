import { hash } from 'node:crypto';
import { existsSync, globSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mailFolderIn } from '../../server/delivery/folder/mail-folder.ts';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import { explainDataDir, explainUnreachable, withExplanation } from '../../server/start/start-problems.ts';
import { databasePath, identifyFile } from '../../server/store/sqlite/database-file.ts';
import { lockEmpty } from '../../server/store/transfer/database-copy.ts';
import {
  describeRestored,
  endRestore,
  readUnfinishedRestore,
  restoringPath,
  type UnfinishedRestore,
  writeUnfinishedRestore,
} from '../../server/store/transfer/unfinished-restore.ts';
import { nzTime } from '../../server/time/nz-time.ts';
import { type Command, CommandFailed, onlyOne } from '../command.ts';
import { readInput } from '../command-files.ts';
import { createProgress, print } from '../terminal.ts';
import { restoreFiles, restoreRequests, reviewFolder, type Unpacked, unpack } from './restored-parts.ts';

export const restore: Command = {
  summary: 'restore a backup into an empty place',
  usage: `awhina restore FILE [--identity FILE]

  --identity FILE   the private key that opens a sealed backup

  Where to is what the settings say: DATA_DIR, or DATABASE_URL. Both must be empty, and no server may run on them. A backup of
  one kind of database can be restored into the other. What a mail server had accepted when the backup was made is not mailed again.
  If it is interrupted, run it again.`,

  async run(args) {
    const options = { identity: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const path = onlyOne(positionals, 'Say which one: awhina restore awhina-2026-11-15.backup');
    if (!existsSync(path)) throw new CommandFailed(`There is no file ${path}.`);
    const identities = values.identity === undefined ? null : readInput(values.identity).toString();
    const settings = readSettings();
    const { dataDir } = settings;
    const before = readUnfinishedRestore(dataDir);
    // The earlier run was killed after everything was restored, before it cleaned up.
    if (before?.database && before.database === identifyFile(databasePath(dataDir))) {
      await rm(restoringPath(dataDir), { recursive: true, force: true });
      await endRestore(dataDir);
      giveToOwner(dataDir);
      printRestored(before);
      return 0;
    }
    const restored = await withEmptyTarget(settings, before, async (target) => {
      const progress = createProgress();
      const unpacked = await unpack(path, identities, target.staging, progress.say).finally(progress.end);
      // After a kill the server must be able to delete the unpacked files.
      giveToOwner(dataDir);
      const begun = beginRestore(unpacked, settings, before);
      if (unpacked.mended > 0) print(describeMended(unpacked.mended));
      // From here on only another run can complete the restore.
      target.commit();
      await writeUnfinishedRestore(dataDir, begun);
      await restoreFiles(unpacked, settings, begun.contentTarget, print);
      await restoreRequests(unpacked, settings, async (file) => {
        await writeUnfinishedRestore(dataDir, { ...begun, database: identifyFile(file) });
        target.release();
      });
      giveToOwner(dataDir);
      return begun;
    });
    await endRestore(dataDir);
    printRestored(restored);
    return 0;
  },
};

/** @throws {CommandFailed} where an unfinished restore was of another backup: two would be mixed */
function beginRestore(
  { manifest }: Unpacked,
  { dataDir, contentDir }: Settings,
  before: UnfinishedRestore | null,
): UnfinishedRestore {
  const { madeAt, requests, undelivered } = manifest;
  const backup = hash('sha256', JSON.stringify(manifest));
  if (before && before.backup !== backup)
    throw new CommandFailed(
      `Another restore into ${dataDir} was started and not finished. Run it again first, with ${describeRestored(before)}, or move ${dataDir} away.`,
    );
  const isFree = !existsSync(contentDir) || readdirSync(contentDir).length === 0;
  const contentTarget =
    before?.contentTarget ?? (isFree ? contentDir : join(reviewFolder(dataDir), 'content'));
  return { pid: process.pid, backup, madeAt, requests, undelivered, contentTarget };
}

const describeMended = (count: number) =>
  `${count === 1 ? '1 damaged entry of the backup was' : `${count} damaged entries of the backup were`} mended. No request was left out. awhina list marks those whose answers are damaged.`;

function printRestored({ madeAt, requests, undelivered }: UnfinishedRestore): void {
  print(`${requests} requests of ${nzTime(new Date(madeAt))} are back.`);
  if (undelivered > 0)
    print(`${undelivered} of them no mail server had accepted then: the server mails them when it starts.`);
}

/**
 * Gives everything that root has put into a folder to the owner of the folder. A restore cannot become that owner, as other
 * commands do: the backup may be readable by root alone, and CONTENT_DIR most often is root's.
 */
function giveToOwner(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid);
}

interface Target {
  staging: string;
  /** Ends the lock on the database file. */
  release: () => void;
  /** From now on a failure leaves what was restored so far. */
  commit: () => void;
}

/** DATA_DIR and the database must be empty, except for the work of an earlier run of this restore. Both stay locked meanwhile. */
async function withEmptyTarget<T>(
  { dataDir, databaseUrl }: Settings,
  before: UnfinishedRestore | null,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const taken = (where: string) =>
    new CommandFailed(`${where} is not empty. Nothing was changed: a backup goes into an empty place only.`);
  let isCommitted = before !== null || existsSync(databasePath(dataDir));
  if (!before && globSync('*.eml', { cwd: mailFolderIn(dataDir) }).length > 0)
    throw taken(mailFolderIn(dataDir));
  const lock = await withExplanation(explainDataDir, () => lockEmpty(dataDir));
  if (!lock) throw taken(`The database in ${dataDir}`);
  const staging = restoringPath(dataDir);
  let isReleased = false;
  const release = () => {
    if (!isReleased) lock.release();
    isReleased = true;
  };
  const commit = () => {
    isCommitted = true;
  };
  try {
    if (!before && databaseUrl && (await countIn(databaseUrl)) > 0)
      throw taken('The database in DATABASE_URL');
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    return await work({ staging, release, commit });
  } catch (error) {
    release();
    if (!isCommitted) await rm(databasePath(dataDir), { force: true });
    throw error;
  } finally {
    release();
    await rm(staging, { recursive: true, force: true });
  }
}

async function countIn(url: string): Promise<number> {
  const { openPostgresStore } = await import('../../server/store/postgres/postgres-store.ts');
  const store = await withExplanation(explainUnreachable, () =>
    openPostgresStore(url, () => {}, { migrates: 'if new' }),
  );
  try {
    return (await store.countSubmissions({})).total;
  } finally {
    await store.close();
  }
}

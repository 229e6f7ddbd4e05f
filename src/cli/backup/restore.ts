import { hash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import { explainDataDir, explained, explainUnreachable } from '../../server/start/start-problems.ts';
import { databasePath } from '../../server/store/sqlite/database-file.ts';
import { lockEmpty } from '../../server/store/transfer/database-copy.ts';
import {
  describeRestored,
  endRestore,
  identifyFile,
  readUnfinishedRestore,
  restoringPath,
  type UnfinishedRestore,
  writeUnfinishedRestore,
} from '../../server/store/transfer/unfinished-restore.ts';
import { nzTime } from '../../server/time/nz-time.ts';
import { type Command, CommandFailed, UsageError } from '../command.ts';
import { createStep, print } from '../terminal.ts';
import { handOver } from './hand-over.ts';
import { besidePath, placeFiles, placeRequests, type Unpacked, unpack } from './restored-parts.ts';

export const restore: Command = {
  summary: 'restore a backup into an empty place',
  usage: `awhina restore FILE [--identity FILE]

  --identity FILE   the private key that opens a sealed backup

  Where to is what the settings say: DATA_DIR, or DATABASE_URL. Both must be empty, and no server may run on them. A backup of
  one kind of database can be restored into the other. What had reached staff when the backup was made is not mailed again.
  If it is interrupted, run it again.`,

  async run(args) {
    const options = { identity: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0)
      throw new UsageError('Say which one: awhina restore awhina-2026-11-15.backup');
    if (!existsSync(path)) throw new CommandFailed(`There is no file ${path}.`);
    const identities = values.identity === undefined ? null : readKey(values.identity);
    const settings = readSettings();
    const { dataDir } = settings;
    const before = readUnfinishedRestore(dataDir);
    // Killed when all was in its place.
    if (before?.database && before.database === identifyFile(databasePath(dataDir))) {
      await clear(dataDir);
      handOver(dataDir);
      sayRestored(before);
      return 0;
    }
    const restored = await intoEmptyPlace(settings, before, async (place) => {
      const step = createStep();
      const unpacked = await unpack(path, identities, place.staging, step.say).finally(step.end);
      // Should this be killed, the server must be able to clear it away.
      handOver(dataDir);
      const begun = begin(unpacked, settings, before);
      // From here on only running it again brings the place in order.
      place.keep();
      await writeUnfinishedRestore(dataDir, begun);
      await placeFiles(unpacked, settings, begun.contentTarget, print);
      await placeRequests(unpacked, settings, async (file) => {
        await writeUnfinishedRestore(dataDir, { ...begun, database: identifyFile(file) });
        place.free();
      });
      handOver(dataDir);
      return begun;
    });
    await endRestore(dataDir);
    sayRestored(restored);
    return 0;
  },
};

/** @throws {CommandFailed} where another backup was begun here: two would be mixed. */
function begin(
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
  const contentTarget = before?.contentTarget ?? (isFree ? contentDir : join(besidePath(dataDir), 'content'));
  return { pid: process.pid, backup, madeAt, requests, undelivered, contentTarget };
}

async function clear(dataDir: string): Promise<void> {
  await rm(restoringPath(dataDir), { recursive: true, force: true });
  await endRestore(dataDir);
}

function sayRestored({ madeAt, requests, undelivered }: UnfinishedRestore): void {
  print(`${requests} requests of ${nzTime(new Date(madeAt))} are back.`);
  if (undelivered > 0)
    print(`${undelivered} of them had not reached staff then: the server mails them when it starts.`);
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CommandFailed(`${file} could not be read.`, { cause });
  }
}

interface EmptyPlace {
  staging: string;
  /** Lets go of the place where the database comes to be. */
  free: () => void;
  /** What is in the place stays from now on, also where this fails. */
  keep: () => void;
}

/**
 * Nobody else takes the place meanwhile. It must be empty, but for what an earlier run has brought, which this one
 * brings again.
 */
async function intoEmptyPlace<T>(
  { dataDir, databaseUrl }: Settings,
  before: UnfinishedRestore | null,
  work: (place: EmptyPlace) => Promise<T>,
): Promise<T> {
  const taken = (where: string) =>
    new CommandFailed(`${where} is not empty. Nothing was changed: a backup goes into an empty place only.`);
  let isKept = before !== null || existsSync(databasePath(dataDir));
  if (!before && globSync('mail/*.eml', { cwd: dataDir }).length > 0) throw taken(`${dataDir}/mail`);
  const hold = await explained(explainDataDir, () => lockEmpty(dataDir));
  if (!hold) throw taken(`The database in ${dataDir}`);
  const staging = restoringPath(dataDir);
  let isFree = false;
  const free = () => {
    if (!isFree) hold.release();
    isFree = true;
  };
  const keep = () => {
    isKept = true;
  };
  try {
    if (!before && databaseUrl && (await countIn(databaseUrl)) > 0)
      throw taken('The database in DATABASE_URL');
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    return await work({ staging, free, keep });
  } catch (error) {
    free();
    if (!isKept) await rm(databasePath(dataDir), { force: true });
    throw error;
  } finally {
    free();
    await rm(staging, { recursive: true, force: true });
  }
}

async function countIn(url: string): Promise<number> {
  const { openOrMake } = await import('./open-or-make.ts');
  const store = await explained(explainUnreachable, () => openOrMake(url));
  try {
    return (await store.countSubmissions({})).total;
  } finally {
    await store.close();
  }
}

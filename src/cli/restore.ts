import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nzTime } from '../server/nz-time.ts';
import { readSettings, type Settings } from '../server/settings.ts';
import { explainDataDir, explained, explainUnreachable } from '../server/start-problems.ts';
import { holdEmpty } from '../server/submissions/sqlite/copy.ts';
import { databasePath } from '../server/submissions/sqlite/database.ts';
import { type Command, CommandFailed, UsageError } from './command.ts';
import { handOver } from './hand-over.ts';
import { placeFiles, placeRequests, unpack } from './restored-parts.ts';
import { createStep, print } from './terminal.ts';

export const restore: Command = {
  summary: 'put a backup back, into an empty place',
  usage: `awhina restore FILE [--identity FILE]

  --identity FILE   the private key that opens a sealed backup

  Where to is what the settings say: DATA_DIR, or DATABASE_URL. Both must be empty, and no server may run on them. A backup of
  one kind of database can be restored into the other. What had reached staff when the backup was made is not mailed again.`,

  async run(args) {
    const options = { identity: { type: 'string' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0)
      throw new UsageError('Say which one: awhina restore awhina-2026-11-15.backup');
    if (!existsSync(path)) throw new CommandFailed(`There is no file ${path}.`);
    const identities = values.identity === undefined ? null : readKey(values.identity);
    return intoEmptyPlace(readSettings(), async (settings, place) => {
      const step = createStep();
      const unpacked = await unpack(path, identities, place.staging, step.say).finally(step.end);
      const { madeAt, requests, undelivered } = unpacked.manifest;
      await placeFiles(unpacked, settings, print);
      await placeRequests(unpacked, settings, place.free);
      handOver(settings.dataDir);
      print(`${requests} requests of ${nzTime(new Date(madeAt))} are back.`);
      if (undelivered > 0)
        print(`${undelivered} of them had not reached staff then: the server mails them when it starts.`);
      return 0;
    });
  },
};

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
}

/** Nobody else takes the place meanwhile, and what is left of a try that failed does not stay. */
async function intoEmptyPlace<T>(
  settings: Settings,
  work: (settings: Settings, place: EmptyPlace) => Promise<T>,
): Promise<T> {
  const { dataDir, databaseUrl } = settings;
  const taken = (where: string) =>
    new CommandFailed(`${where} is not empty. Nothing was changed: a backup goes into an empty place only.`);
  const wasThere = existsSync(databasePath(dataDir));
  if (globSync('mail/*.eml', { cwd: dataDir }).length > 0) throw taken(`${dataDir}/mail`);
  const hold = await explained(explainDataDir, () => holdEmpty(dataDir));
  if (!hold) throw taken(`The database in ${dataDir}`);
  const staging = join(dataDir, 'restoring');
  let isFree = false;
  const free = () => {
    if (!isFree) hold.release();
    isFree = true;
  };
  try {
    if (databaseUrl && (await countIn(databaseUrl)) > 0) throw taken('The database in DATABASE_URL');
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    return await work(settings, { staging, free });
  } catch (error) {
    free();
    if (!wasThere) await rm(databasePath(dataDir), { force: true });
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

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readSettings, type Settings } from '../../server/settings/settings.ts';
import { explainDataDir, explainUnreachable, withExplanation } from '../../server/start/start-problems.ts';
import { findTlsProblem } from '../../server/store/postgres/connection.ts';
import { databasePath } from '../../server/store/sqlite/database-file.ts';
import {
  moveEverything,
  type TransferEndpoint,
  TransferMismatch,
  unfinishedMovePath,
} from '../../server/store/transfer/move-everything.ts';
import { openSqliteEndpoint } from '../../server/store/transfer/sqlite-endpoint.ts';
import { refuseUnfinishedRestore } from '../../server/store/transfer/unfinished-restore.ts';
import { type Command, CommandFailed, UsageError } from '../command.ts';
import { createProgress, print } from '../terminal.ts';

export const move: Command = {
  summary: 'move everything from SQLite to PostgreSQL, or back',
  usage: `awhina move --to postgres://user:password@host/database
awhina move --to postgres
awhina move --to sqlite

  --to postgres   the database in DATABASE_URL, so that no password is typed here
  --to sqlite     from the database in DATABASE_URL to the file in DATA_DIR

  Stop the server first. References stay, and so does where each mail stands. The old one is emptied only after everything was
  read back from the new one and found the same. If it is interrupted, run it again.`,
  asOwner: true,

  async run(args) {
    const { values } = parseArgs({ args, options: { to: { type: 'string' } } });
    const settings = readSettings();
    refuseUnfinishedRestore(settings.dataDir);
    const { from, to, afterwards } = await openEndpoints(values.to ?? '', settings);
    const unfinished = unfinishedMovePath(settings.dataDir);
    const progress = createProgress();
    try {
      const total = await from.count();
      writeFileSync(unfinished, `from ${from.description} to ${to.description}\n`, {
        mode: 0o600,
        flush: true,
      });
      const count = await moveEverything(from, to, (what, done) =>
        progress.say(`${done} of ${total} ${what}`),
      );
      rmSync(unfinished, { force: true });
      progress.end();
      print(`${count} moved to ${to.description}. ${from.description} is empty now.\n${afterwards}`);
      return 0;
    } catch (error) {
      if (!(error instanceof TransferMismatch)) throw error;
      throw new CommandFailed(
        `Not everything is the same in both (${error.message}). Nothing was erased: run it again.`,
        { cause: error },
      );
    } finally {
      progress.end();
      await Promise.all([from.close(), to.close()].map((closeAndThrow) => closeAndThrow.catch(() => {})));
    }
  },
};

interface Endpoints {
  from: TransferEndpoint;
  to: TransferEndpoint;
  /** What the person has to do next. */
  afterwards: string;
}

async function openEndpoints(to: string, settings: Settings): Promise<Endpoints> {
  const { dataDir, databaseUrl } = settings;
  if (to === 'sqlite') {
    if (!databaseUrl) throw new UsageError('DATABASE_URL is not set: everything is in SQLite already.');
    const file = await openFile(dataDir);
    return {
      from: await openDatabase(databaseUrl, 'from').catch(closeAfterError(file)),
      to: file,
      afterwards: 'Now take DATABASE_URL out of the settings, and start the server.',
    };
  }
  const url = to === 'postgres' ? databaseUrl : to;
  if (!url || !/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(
      'Say where to: awhina move --to postgres://user:password@host/database, or --to sqlite',
    );
  const tlsProblem = findTlsProblem(url);
  if (tlsProblem !== null) throw new UsageError(`That address ${tlsProblem}.`);
  if (databaseUrl && url !== databaseUrl)
    throw new UsageError(
      'DATABASE_URL is another database. Move to sqlite first, and from there to the new one.',
    );
  if (!existsSync(databasePath(dataDir)))
    throw new CommandFailed(`There is no database in ${dataDir}, so there is nothing to move.`);
  const file = await openFile(dataDir);
  return {
    from: file,
    to: await openDatabase(url, 'to').catch(closeAfterError(file)),
    afterwards: 'Now set DATABASE_URL to the new database, and start the server.',
  };
}

/** SQLITE_BUSY: another process has the database open. */
const sqliteBusy = 5;

async function openFile(dataDir: string): Promise<TransferEndpoint> {
  return withExplanation(explainDataDir, () => openSqliteEndpoint(dataDir)).catch((error) => {
    if (((error.cause?.errcode ?? 0) & 0xff) !== sqliteBusy) throw error;
    throw new CommandFailed(
      `A server or another command has ${databasePath(dataDir)} open. Stop the server, and run this again.`,
      { cause: error },
    );
  });
}

async function openDatabase(url: string, role: 'from' | 'to'): Promise<TransferEndpoint> {
  const { openPostgresEndpoint, StillInUse } = await import(
    '../../server/store/transfer/postgres-endpoint.ts'
  );
  const { openPostgresStore } = await import('../../server/store/postgres/postgres-store.ts');
  return withExplanation(explainUnreachable, async () => {
    // Refuses a database that could lose requests, and makes the tables of a new one.
    await (await openPostgresStore(url, () => {}, { migrates: 'if new' })).close();
    return openPostgresEndpoint(url, role);
  }).catch((error) => {
    if (error instanceof StillInUse) throw new CommandFailed(error.message, { cause: error });
    // lock_not_available
    if (error.code === '55P03')
      throw new CommandFailed('Somebody is using that database. Stop every server on it first.', {
        cause: error,
      });
    if (error.syscall === 'connect' || error.syscall === 'getaddrinfo')
      throw new CommandFailed('That database cannot be reached.', { cause: error });
    throw error;
  });
}

const closeAfterError = (endpoint: TransferEndpoint) => async (error: unknown) => {
  await endpoint.close();
  throw error;
};

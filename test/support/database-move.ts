import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Store } from '../../src/server/store/contract/store.ts';
import type { StoredSubmission } from '../../src/server/store/contract/submission.ts';
import { openPostgresStore } from '../../src/server/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { awhinaShared } from './command.ts';
import { createDatabase } from './databases.ts';
import type { MoveAndDie } from './move-and-die.ts';
import { compileCache } from './server.ts';
import { temporaryFolder } from './temporary.ts';

export type Way = 'to PostgreSQL' | 'to SQLite';

/** A move between two new databases. Both are opened anew for each use, because a move needs them for itself alone. */
export async function prepareMove(way: Way) {
  const dataDir = temporaryFolder();
  const url = await createDatabase();
  const sqlite = () => openSqliteStore(dataDir);
  const database = () => openPostgresStore(url, () => {});
  const toPostgres = way === 'to PostgreSQL';
  const [from, to] = toPostgres ? [sqlite, database] : [database, sqlite];
  const settings = toPostgres ? { DATA_DIR: dataDir } : { DATA_DIR: dataDir, DATABASE_URL: url };
  const use = async <T>(open: () => Promise<Store>, work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await open();
    return work(store).finally(() => store.close());
  };
  const args = ['move', '--to', toPostgres ? url : 'sqlite'];
  return {
    dataDir,
    url,
    settings,
    args,
    inOld: <T>(work: (store: Store) => Promise<T>) => use(from, work),
    inNew: <T>(work: (store: Store) => Promise<T>) => use(to, work),
    move: () => awhinaShared(args, settings),
  };
}

export async function everythingIn(store: Store): Promise<Map<string, StoredSubmission>> {
  const found = new Map<string, StoredSubmission>();
  for await (const one of store.iterateSubmissions({})) found.set(one.reference, one);
  return found;
}

export const figuresIn = (store: Store) => store.readFigures('0000-01-01', '9999-12-31');

/** Starts a move that kills itself at the step that `dieAt` names. */
export async function moveAndDie(options: MoveAndDie): Promise<void> {
  const child = spawn(process.execPath, [resolve('test/support/move-and-die.ts'), JSON.stringify(options)], {
    env: { ...process.env, ...compileCache },
  });
  const [said, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (signal !== 'SIGKILL') throw new Error(`It was not killed: ${said}`);
}

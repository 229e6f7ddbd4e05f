import { openPostgresStore } from '../../src/server/store/postgres/postgres-store.ts';
import { moveEverything, type TransferEndpoint } from '../../src/server/store/transfer/move-everything.ts';
import { openPostgresEndpoint } from '../../src/server/store/transfer/postgres-endpoint.ts';
import { openSqliteEndpoint } from '../../src/server/store/transfer/sqlite-endpoint.ts';

/** A move, as the command does it, in a process that is killed at the nth call of something: before it, or after it. */

export interface DieAt {
  call: 'receive' | 'findReceived' | 'empty';
  nth: number;
  when: 'before' | 'after';
}

export interface MoveAndDie {
  toPostgres: boolean;
  dataDir: string;
  url: string;
  dieAt: DieAt;
}

const { toPostgres, dataDir, url, dieAt } = JSON.parse(process.argv[2] ?? '{}') as MoveAndDie;
const die = () => process.kill(process.pid, 'SIGKILL');

function mortal(end: TransferEndpoint): TransferEndpoint {
  let calls = 0;
  const work = end[dieAt.call] as (...given: unknown[]) => Promise<unknown>;
  return {
    ...end,
    [dieAt.call]: async (...given: unknown[]) => {
      const isTime = ++calls === dieAt.nth;
      if (isTime && dieAt.when === 'before') die();
      const result = await work(...given);
      if (isTime && dieAt.when === 'after') die();
      return result;
    },
  };
}

const file = openSqliteEndpoint(dataDir);
await (await openPostgresStore(url, () => {})).close();
const database = await openPostgresEndpoint(url, toPostgres ? 'to' : 'from');
const [from, to] = toPostgres ? [file, database] : [database, file];
await moveEverything(mortal(from), mortal(to), () => {});

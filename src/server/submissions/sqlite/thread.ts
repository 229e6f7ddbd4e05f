import { parentPort, workerData } from 'node:worker_threads';
import { refuseGeneratedCode } from '../../generated-code.ts';
import { createSqliteArchive } from './archive.ts';
import { openPlace, type Place } from './database.ts';
import { createSqliteDeliveries } from './deliveries.ts';
import { createSqliteMoving } from './moving.ts';
import { createSqliteSubmissions, type Group } from './submissions.ts';
import { asFailure, type Operations, type Said } from './thread-calls.ts';

/** The thread in which SQLite waits for locks and for the disk, so that no visitor's page has to. */

export interface ThreadData {
  dataDir: string;
  /** Whether to look for damage before the first use. */
  inspect: boolean;
}

/** Another process (a purge, a backup) may hold the write lock this long before a visitor is asked to try again. */
const visitorWaitsMs = 2_000;
/** What nobody waits for gives way sooner, and is tried again by itself. */
const othersWaitMs = 500;

refuseGeneratedCode();

const { dataDir, inspect } = workerData as ThreadData;
const say = (said: Said) => parentPort?.postMessage(said);

function open(inspected: boolean) {
  const place = openPlace(dataDir, visitorWaitsMs, inspected);
  return { place, tables: createTables(place) };
}

function createTables({ db }: Place) {
  return {
    ...createSqliteSubmissions(db),
    ...createSqliteDeliveries(db),
    ...createSqliteArchive(db),
    ...createSqliteMoving(db),
  };
}

type Tables = ReturnType<typeof createTables>;
export type SqliteOperations = Tables & { open(): void; close(): void };

let current: ReturnType<typeof open> | null = null;
let waitMs = visitorWaitsMs;

function use(urgent: boolean): Tables {
  if (!current) {
    current = open(inspect);
    waitMs = visitorWaitsMs;
  }
  const wanted = urgent ? visitorWaitsMs : othersWaitMs;
  if (wanted !== waitMs) current.place.db.exec(`PRAGMA busy_timeout = ${wanted}`);
  waitMs = wanted;
  return current.tables;
}

/**
 * Before anything is acknowledged: is the file that was written to the one that is there? Where the folder was deleted
 * or replaced under the running server, its place is taken by what is there now, and all that staff do not have yet
 * goes along, also what was written a moment ago.
 */
function makeReal(): void {
  if (!current || current.place.isReal()) return;
  const old = current;
  const next = open(true);
  let count: number;
  try {
    count = next.tables.takeOver(old.tables.findUndelivered());
    if (!next.place.isReal()) throw new Error('The data folder was replaced once more');
  } catch (error) {
    next.place.db.close();
    throw error;
  }
  current = next;
  waitMs = visitorWaitsMs;
  // Moved and not copied: the old file may have another name now, and would send them again one day.
  try {
    old.tables.dropUndelivered();
  } catch {}
  old.place.db.close();
  say({ event: 'data folder replaced', count });
}

const visitors: Operations = {
  add(group: Group) {
    const added = use(true).add(group);
    makeReal();
    return added;
  },
  findByToken(tokenHash: string) {
    const found = use(true).findByToken(tokenHash);
    makeReal();
    return found;
  },
  tryKeeping(now: string) {
    use(true).tryKeeping(now);
    makeReal();
  },
  open: () => void use(true),
  close() {
    current?.place.db.close();
    current = null;
  },
};

parentPort?.on('message', ({ name, given }: { name: string; given: unknown[] }) => {
  try {
    const run = visitors[name] ?? (use(false) as Operations)[name];
    say({ result: run?.(...given) });
  } catch (error) {
    say({ failure: asFailure(error) });
  }
});

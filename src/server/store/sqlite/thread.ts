import { accessSync, constants } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { refuseGeneratedCode } from '../../hardening/refuse-generated-code.ts';
import type { Added } from '../contract/submission.ts';
import { type DatabaseFile, openDatabase } from './database-file.ts';
import { createSqliteArchive } from './sqlite-archive.ts';
import { createSqliteCanary } from './sqlite-canary.ts';
import { createSqliteCounts } from './sqlite-counts.ts';
import { createSqliteDeliveries } from './sqlite-deliveries.ts';
import { createSqliteTurns } from './sqlite-interval-lease.ts';
import { createSqliteChores } from './sqlite-schedule-lease.ts';
import { type Batch, createSqliteSubmissions } from './sqlite-submissions.ts';
import { createSqliteTransfer } from './sqlite-transfer.ts';
import { asFailure, type Operations, type Said } from './thread-calls.ts';

/** The thread in which SQLite waits for locks and for the disk, so that no visitor's page has to. */

export interface ThreadData {
  dataDir: string;
  /** Whether to look for damage before the first use. */
  inspect: boolean;
  /** Whether this is the server, which alone brings the database up to date. */
  migrates: boolean;
}

/** Another process (a purge, a backup) may hold the write lock this long before a visitor is asked to try again. */
const visitorWaitsMs = 2_000;
/** What nobody waits for gives way sooner, and is tried again by itself. */
const othersWaitMs = 500;

refuseGeneratedCode();

const { dataDir, inspect, migrates } = workerData as ThreadData;
const say = (said: Said) => parentPort?.postMessage(said);

function open(inspected: boolean) {
  const place = openDatabase(dataDir, { waitMs: visitorWaitsMs, inspect: inspected, migrates });
  try {
    return { place, tables: createTables(place) };
  } catch (error) {
    place.db.close();
    throw error;
  }
}

function createTables({ db }: DatabaseFile) {
  return {
    ...createSqliteSubmissions(db),
    ...createSqliteDeliveries(db),
    ...createSqliteArchive(db),
    ...createSqliteTransfer(db),
    ...createSqliteCanary(db),
    ...createSqliteCounts(db),
    ...createSqliteTurns(db),
    ...createSqliteChores(db),
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
 * Before anything is acknowledged: are the files that were written to those that are there? Where they were deleted,
 * cut off or replaced under the running server, their place is taken by what is there now, and all that staff do not
 * have yet goes along. True where that happened.
 */
function makeReal(written: boolean): boolean {
  if (!current || current.place.isReal(written)) return false;
  const old = current;
  // Read first: opening the new ones beside what is left of the old would spoil what these have in common.
  const found = attempt(() => old.tables.findUndelivered());
  const waiting = found ?? [];
  const counted = attempt(() => old.tables.readCounts()) ?? [];
  old.place.setAside();
  const next = openNext(found?.length ?? Number.NaN);
  let count: number;
  try {
    count = next.tables.importRows(waiting);
    // What is there may be an older copy of the same counts: the higher number holds.
    attempt(() => next.tables.mergeCounts(counted));
    if (!next.place.isReal(count > 0)) throw new Error('The data folder was replaced once more');
  } catch (error) {
    next.place.db.close();
    throw error;
  }
  current = next;
  waitMs = visitorWaitsMs;
  // Moved and not copied: the old file may have another name now, and would send them again one day.
  attempt(() => old.tables.dropUndelivered());
  attempt(() => old.place.db.close());
  say({ event: 'data folder replaced', count });
  return true;
}

/** In the folder that has taken the place of the old one. `waiting`: how many of the old one staff do not have; NaN: not known. */
function openNext(waiting: number) {
  try {
    return open(true);
  } catch (error) {
    if (isReadOnly(dataDir)) say({ event: 'data folder read-only', count: waiting });
    throw error;
  }
}

/** Under the systemd unit the old folder is the only one that can be written to, wherever it is moved. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Does it where it lasts: once more in the new place, where the old one turned out to be none. */
function lastingly<T>(work: (tables: Tables) => T, hasWritten: (result: T) => boolean): T {
  let result: T;
  try {
    result = work(use(true));
  } catch (error) {
    if (!makeReal(true)) throw error;
    return work(use(true));
  }
  return makeReal(hasWritten(result)) ? work(use(true)) : result;
}

const visitors: Operations = {
  add(group: Batch): Added[] {
    const added = lastingly(
      (tables) => tables.add(group),
      (results) => results.some((one) => one.added),
    );
    // One that went along to a new place is there already when it is kept once more, under the name it was given here.
    return added.map((result, index) =>
      !result.added && result.spent.receipt.reference === group.rows[index]?.reference
        ? { added: true, receipt: result.spent.receipt }
        : result,
    );
  },
  findByToken: (tokenHash: string) =>
    lastingly(
      (tables) => tables.findByToken(tokenHash),
      () => false,
    ),
  tryWrite: (now: string) =>
    lastingly(
      (tables) => tables.tryWrite(now),
      () => true,
    ),
  open: () => void use(true),
  close() {
    // What staff do not have yet must not go with a file that has no name, nor with a log that closing would write back.
    attempt(() => makeReal(true));
    current?.place.db.close();
    current = null;
  },
};

parentPort?.on('message', ({ name, given }: { name: string; given: unknown[] }) => {
  try {
    if (visitors[name]) return say({ result: visitors[name](...given) });
    // Mail goes on from where it can, also from a file that has lost its name and finds no other. The log is looked at too:
    // with a hole in it, whoever takes out traces would write that into the database.
    attempt(() => makeReal(true));
    say({ result: (use(false) as Operations)[name]?.(...given) });
  } catch (error) {
    say({ failure: asFailure(error) });
  }
});

import { parentPort, workerData } from 'node:worker_threads';
import { refuseGeneratedCode } from '../../hardening/refuse-generated-code.ts';
import type { TransferRow } from '../rows/transfer-row.ts';
import { openDatabase } from './database-file.ts';
import { createOperations, type SqliteOperations } from './sqlite-operations.ts';
import { asFailure, type Message, type Operations } from './thread-calls.ts';

/** The thread in which SQLite waits for locks and for the disk, so that no visitor's page has to. */

export interface ThreadData {
  dataDir: string;
  /** Whether to check for damage before the first use. */
  inspect: boolean;
  /** Whether this is the server, which alone migrates the database. */
  migrates: boolean;
}

/** Another process (a purge, a backup) may hold the write lock this long before a visitor is asked to try again. */
const visitorWaitsMs = 2_000;
/** An operation that no visitor waits for gives way sooner, and is tried again. */
const othersWaitMs = 500;

/** A visitor waits for these, and nothing may be acknowledged that the files do not hold. */
const visitorOperations = ['add', 'findByToken', 'tryWrite'];

refuseGeneratedCode();

const { dataDir, inspect, migrates } = workerData as ThreadData;
const post = (message: Message) => parentPort?.postMessage(message);

function open(inspected: boolean) {
  const file = openDatabase(dataDir, { waitMs: visitorWaitsMs, inspect: inspected, migrates });
  try {
    return { file, operations: createOperations(file.db) };
  } catch (error) {
    file.db.close();
    throw error;
  }
}

/** `open` returns the names of the operations, and whether a visitor waits for them. */
export type SqliteThread = SqliteOperations & { open(): { name: string; isForVisitor: boolean }[] };

let current: ReturnType<typeof open> | null = null;
/** Undelivered requests were copied into the files that replaced the open ones. This process must end. */
let isRescued = false;
/** The number that the main thread was told last. */
let lastReported: number | null | undefined;

const replaced = () => Object.assign(new Error('The data folder was replaced'), { code: 'REPLACED' });

function use(waitMs: number): Operations {
  if (isRescued) throw replaced();
  current ??= open(inspect);
  current.file.db.exec(`PRAGMA busy_timeout = ${waitMs}`);
  return current.operations;
}

/**
 * Whether the files were deleted, cut off or replaced under the running server. Then nothing is acknowledged any more.
 * What nobody has answered goes into the new files; where these cannot be written, mail goes on from the old ones. The
 * main thread is told how many requests no mail server has accepted yet, which would be lost if the process ended now; null
 * where the old files cannot be read.
 */
async function isReplaced(): Promise<boolean> {
  if (isRescued) return true;
  if (!current || current.file.isIntact()) return false;
  const { file, operations } = current;
  // Read before the new files are opened: old and new may share a log or shared memory, which opening resets.
  const unanswered = await attempt(operations.findUnanswered);
  // A failed rescue is tried again at the next operation.
  const count = await rescue(unanswered).then(
    () => 0,
    () => unanswered?.filter(({ deliveredAt }) => deliveredAt === null).length ?? null,
  );
  if (isRescued) file.db.close();
  if (count !== lastReported) post({ event: count });
  lastReported = count;
  return true;
}

async function rescue(unanswered: TransferRow[] | undefined): Promise<void> {
  const old = current as NonNullable<typeof current>;
  const counts = (await attempt(old.operations.readCounts)) ?? [];
  old.file.setAside();
  const next = open(true);
  try {
    await next.operations.importRows(unanswered ?? []);
    // The new file may be an older copy with the same counts: the higher number is right.
    await attempt(() => next.operations.mergeCounts(counts));
    if (!next.file.isIntact()) throw new Error('The data folder was replaced again');
  } finally {
    next.file.db.close();
  }
  isRescued = true;
  // The old file may have another name by now. A server that is started on it one day would send these requests again.
  if (unanswered) await attempt(old.operations.dropUndelivered);
}

async function attempt<T>(work: () => T): Promise<Awaited<T> | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

async function run(name: string, given: unknown[]): Promise<unknown> {
  const isForVisitor = (operation: string) => visitorOperations.includes(operation);
  if (name === 'open')
    return Object.keys(use(visitorWaitsMs)).map((operation) => ({
      name: operation,
      isForVisitor: isForVisitor(operation),
    }));
  if (name === 'close') {
    await attempt(isReplaced);
    if (!isRescued) current?.file.db.close();
    return;
  }
  if (!isForVisitor(name)) {
    // With a hole in the log a scrub would write the damage into the database, so every operation checks first.
    await attempt(isReplaced);
    return use(othersWaitMs)[name]?.(...given);
  }
  try {
    const result = await use(visitorWaitsMs)[name]?.(...given);
    if (!(await isReplaced())) return result;
  } catch (error) {
    if (!(await isReplaced())) throw error;
  }
  throw replaced();
}

parentPort?.on('message', async ({ name, given }: { name: string; given: unknown[] }) => {
  try {
    post({ result: await run(name, given) });
  } catch (error) {
    post({ failure: asFailure(error) });
  }
});

import { parentPort, workerData } from 'node:worker_threads';
import { refuseGeneratedCode } from '../../hardening/refuse-generated-code.ts';
import { pageSize } from '../rows/selects.ts';
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

/** What the main thread is told of files that were replaced. */
export interface Replaced {
  /** How many requests no mail server has accepted yet, which would be lost if the process ended now; null where not all can be read. */
  count: number | null;
  /** Whether the new files have all that could be read, so that this process must end. */
  isRescued: boolean;
}

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
/** The count that the main thread was told last. */
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
 * What nobody has answered goes into the new files; where these cannot be written, mail goes on from the old ones.
 */
async function isReplaced(): Promise<boolean> {
  if (isRescued) return true;
  if (!current || current.file.isIntact()) return false;
  const undelivered = current.operations.findUndelivered();
  // A failed rescue is tried again at the next operation.
  const count = await rescue(undelivered.ids).then(
    (read) => (undelivered.isWhole && read === undelivered.ids.length ? 0 : null),
    () => (undelivered.isWhole ? undelivered.ids.length : null),
  );
  // The old file may have another name by now. A server that is started on it one day would send these requests again.
  if (isRescued && count === 0) await attempt(current.operations.dropUndelivered);
  if (isRescued) current.file.db.close();
  if (isRescued || count !== lastReported) post({ event: { count, isRescued } satisfies Replaced });
  lastReported = count;
  return true;
}

/** Resolves to how many of these undelivered requests could be read. They go first: nobody but this server has them. */
async function rescue(undelivered: number[]): Promise<number> {
  const { file, operations } = current as NonNullable<typeof current>;
  const counts = (await attempt(operations.readCounts)) ?? [];
  const others = operations.findUnanswered().ids;
  file.setAside();
  const next = open(true);
  const copy = async (ids: number[]) => {
    const rows = operations.readThese(ids);
    await next.operations.importRows(rows);
    return rows.length;
  };
  let read = 0;
  try {
    for (const ids of inPages(undelivered)) read += await copy(ids);
    for (const ids of inPages(others)) await copy(ids);
    // The new file may be an older copy with the same counts: the higher number is right.
    await attempt(() => next.operations.mergeCounts(counts));
    if (!next.file.isIntact()) throw new Error('The data folder was replaced again');
  } finally {
    next.file.db.close();
  }
  isRescued = true;
  return read;
}

/** The oldest first, and never more in memory than a page of them. */
function* inPages(newestFirst: number[]): Generator<number[]> {
  for (let end = newestFirst.length; end > 0; end -= pageSize)
    yield newestFirst.slice(Math.max(end - pageSize, 0), end).reverse();
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

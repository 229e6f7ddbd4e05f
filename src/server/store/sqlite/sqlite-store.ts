import { setImmediate } from 'node:timers/promises';
import { StoreUnavailable, StoreUnfit } from '../contract/errors.ts';
import type { Store } from '../contract/store.ts';
import type { TransferSource, TransferTarget } from '../contract/transfer.ts';
import { iteratePages } from '../rows/archive-queries.ts';
import type { TransferRow } from '../rows/transfer-row.ts';
import { databasePath } from './database-file.ts';
import type { SqliteOperations } from './sqlite-operations.ts';
import { createSubmissionBatch } from './submission-batch.ts';
import type { Replaced, SqliteThread, ThreadData } from './thread.ts';
import { type Remote, startThread } from './thread-calls.ts';

export interface SqliteStore extends Store, TransferSource<TransferRow>, TransferTarget<TransferRow> {
  /** Counts here what was deferred for a shared database, because there is none any more. */
}

interface SqliteOptions {
  /** Whether to check for damage first. The check reads the whole file, so only a server that starts does it. */
  inspect?: boolean;
  /** False beside a server that may be of another version. */
  migrates?: boolean;
  /** The files were replaced under the running process. */
  onReplaced?: (found: Replaced) => void;
  /** The thread has died and cannot be started again. */
  onDead?: (error: Error) => void;
}

/** Longer than an operation waits for a lock, and well within the 20 s that a browser waits for an answer. */
const visitorMs = 8_000;
/** For operations that no visitor waits for, such as erasing a hundred at a time. */
const othersMs = 30_000;

/**
 * SQLite in a thread of its own: while it waits for a lock or the disk, everybody else is served.
 *
 * @throws where requests could be lost: it does not sync, or is damaged
 */
export async function openSqliteStore(dataDir: string, options: SqliteOptions = {}): Promise<SqliteStore> {
  const { inspect = false, migrates = true, onReplaced, onDead } = options;
  const data: ThreadData = { dataDir, inspect, migrates };
  const thread = startThread<SqliteThread>(new URL('./thread.ts', import.meta.url), data, {
    onEvent: (found) => onReplaced?.(found as Replaced),
    ...(onDead ? { onDead } : {}),
  });
  const offered = await thread
    .call('open', () => [])
    .catch(async (error: Error) => {
      await thread.close();
      throw error.name === 'StoreUnfit' ? new StoreUnfit(error.message) : error;
    });
  const add = createSubmissionBatch(thread);

  const operations = Object.fromEntries(
    offered.map(({ name, isForVisitor }) => [
      name,
      (...given: unknown[]) =>
        withDeadline(
          isForVisitor ? visitorMs : othersMs,
          thread.call(name as 'add', () => given as never, isForVisitor),
          'SQLite could not be asked',
        ),
    ]),
  ) as unknown as Remote<SqliteOperations>;

  return {
    ...operations,
    description: `SQLite in ${databasePath(dataDir)}`,
    add: (submission) => withDeadline(visitorMs, add(submission), 'SQLite could not store the submission'),
    iterateSubmissions: (filter) => iteratePages((after) => operations.readPage(filter, after)),
    async close() {
      // Submissions that came in within this turn of the event loop go to the thread first.
      await setImmediate();
      await thread.close();
    },
  };
}

/** By SQLite's result codes, in words that anyone may read at /health/ready. */
const problems: Record<number, string> = {
  5: 'the database is locked by another program',
  8: 'the data folder cannot be written to',
  10: 'the disk of the data folder fails',
  11: 'the database is damaged',
  13: 'the disk is full',
  14: 'the data folder cannot be used',
  26: 'the database is damaged',
};

class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/**
 * A disk that hangs answers nothing, not even an error. The write may still happen: a resend with the same token tells.
 *
 * @throws {StoreUnavailable} with that message, whatever went wrong
 */
function withDeadline<T>(ms: number, answer: Promise<T>, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      clearTimeout(timer);
      reject(new StoreUnavailable(message, { cause, problem: describeFailure(cause) }));
    };
    const timer = setTimeout(() => fail(new NoAnswer('SQLite does not answer')), ms);
    answer.then((result) => {
      clearTimeout(timer);
      resolve(result);
    }, fail);
  });
}

function describeFailure(cause: unknown): string {
  if (cause instanceof NoAnswer) return 'the disk does not answer';
  const { errcode, code } = cause as { errcode?: number; code?: string };
  if (code === 'ENOSPC') return 'the disk is full';
  if (code === 'REPLACED') return 'the data folder was replaced';
  return problems[(errcode ?? 0) & 0xff] ?? 'the database does not take a write';
}

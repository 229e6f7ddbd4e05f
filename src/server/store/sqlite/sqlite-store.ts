import { StoreUnavailable, StoreUnfit } from '../contract/errors.ts';
import type { Store } from '../contract/store.ts';
import type { StoredSubmission } from '../contract/submission.ts';
import type { TransferSource, TransferTarget } from '../contract/transfer.ts';
import { type PageEnd, pageSize } from '../rows/selects.ts';
import type { TransferRow } from '../rows/transfer-row.ts';
import { databasePath } from './database-file.ts';
import { createSubmissionBatch } from './submission-batch.ts';
import type { SqliteOperations, ThreadData } from './thread.ts';
import { startThread } from './thread-calls.ts';

export interface SqliteStore extends Store, TransferSource<TransferRow>, TransferTarget<TransferRow> {
  /** Counts here what was to be counted in a shared database, because there is none any more. */
  countNoted(): Promise<void>;
}

export interface SqliteOptions {
  /** Looks for damage first. It reads the whole file, so it is for whoever starts to serve from it. */
  inspect?: boolean;
  /** False beside a server that may be of another version. */
  migrates?: boolean;
  /** Told when the data folder was replaced under the running server, with how many requests were taken along. */
  onReplaced?: (count: number) => void;
  /** Told when the data folder was replaced by one that only another process can write to, with how many still wait here. */
  onReadOnly?: (count: number) => void;
  /** Told when its thread has died and cannot be started again. */
  onLost?: (error: Error) => void;
}

/** Longer than any lock is waited for. A browser gives up after fifteen seconds. */
const visitorMs = 8_000;
/** For what nobody waits for, such as erasing a hundred at a time. */
const othersMs = 30_000;

/**
 * SQLite in a thread of its own: while it waits for a lock or the disk, everybody else is served.
 *
 * @throws where requests could be lost: it does not sync, or is damaged
 */
export async function openSqliteStore(dataDir: string, options: SqliteOptions = {}): Promise<SqliteStore> {
  const data: ThreadData = {
    dataDir,
    inspect: options.inspect ?? false,
    migrates: options.migrates ?? true,
  };
  const thread = startThread<SqliteOperations>(new URL('./thread.ts', import.meta.url), data, {
    onEvent: (event, count) =>
      event === 'data folder read-only' ? options.onReadOnly?.(count) : options.onReplaced?.(count),
    ...(options.onLost ? { onLost: options.onLost } : {}),
  });
  try {
    await thread.call('open', () => []);
  } catch (error) {
    await thread.close();
    const { name, message } = error as Error;
    throw name === 'StoreUnfit' ? new StoreUnfit(message) : error;
  }

  const ask = <Name extends keyof SqliteOperations & string>(
    name: Name,
    given: Parameters<SqliteOperations[Name]>,
    urgent = false,
  ) => {
    const answer = thread.call(name, () => given, urgent);
    return within(urgent ? visitorMs : othersMs, answer, 'SQLite could not be asked');
  };

  const adding = createSubmissionBatch(thread);

  return {
    description: `SQLite in ${databasePath(dataDir)}`,
    add: (submission) => within(visitorMs, adding.add(submission), 'SQLite could not keep the submission'),
    findByToken: (tokenHash) => ask('findByToken', [tokenHash], true),
    tryWrite: () => ask('tryWrite', [new Date().toISOString()], true),

    claimDueDeliveries: (...given) => ask('claimDueDeliveries', given),
    finishDelivery: (...given) => ask('finishDelivery', given),
    postponeDelivery: (...given) => ask('postponeDelivery', given),
    parkDelivery: (...given) => ask('parkDelivery', given),
    summariseUndelivered: () => ask('summariseUndelivered', []),
    retryDeliveries: (...given) => ask('retryDeliveries', given),
    unpark: (...given) => ask('unpark', given),
    claimNotice: (...given) => ask('claimNotice', given),
    releaseNotice: () => ask('releaseNotice', []),
    claimEscalations: (...given) => ask('claimEscalations', given),
    releaseEscalations: (...given) => ask('releaseEscalations', given),

    claimTurn: (...given) => ask('claimTurn', given),
    finishTurn: (...given) => ask('finishTurn', given),

    findSubmission: (...given) => ask('findSubmission', given),
    async *iterateSubmissions(filter) {
      let last: PageEnd | null = null;
      for (;;) {
        const page: StoredSubmission[] = await ask('readPage', [filter, last]);
        yield* page;
        if (page.length < pageSize) return;
        last = page.at(-1) ?? null;
      }
    },
    countSubmissions: (...given) => ask('countSubmissions', given),
    listDefinitions: (...given) => ask('listDefinitions', given),
    listDelivered: (...given) => ask('listDelivered', given),
    eraseSubmissions: (...given) => ask('eraseSubmissions', given),
    eraseOne: (...given) => ask('eraseOne', given),
    scrub: () => ask('scrub', []),
    findTimes: () => ask('findTimes', []),
    recordErasing: (...given) => ask('recordErasing', given),
    recordDoubt: (...given) => ask('recordDoubt', given),
    importRows: (...given) => ask('importRows', given),
    claimChore: (...given) => ask('claimChore', given),
    finishChore: (...given) => ask('finishChore', given),

    claimCanary: (...given) => ask('claimCanary', given),
    settleCanary: (...given) => ask('settleCanary', given),
    readCanary: () => ask('readCanary', []),
    findCanary: (...given) => ask('findCanary', given),
    eraseCanaries: (...given) => ask('eraseCanaries', given),

    readFigures: (...given) => ask('readFigures', given),
    readCounts: () => ask('readCounts', []),
    mergeCounts: (...given) => ask('mergeCounts', given),
    claimCounts: () => ask('claimCounts', []),
    dropCounts: (...given) => ask('dropCounts', given),
    countNoted: () => ask('countNoted', []),

    countAll: () => ask('countAll', []),
    claimForTransfer: (...given) => ask('claimForTransfer', given),
    dropTransferred: (...given) => ask('dropTransferred', given),

    close() {
      adding.flush();
      return thread.close();
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
 * A disk that hangs answers nothing, not even that it fails. What was asked of it may still be done: the same token tells.
 *
 * @throws {StoreUnavailable} with that message, whatever went wrong
 */
function within<T>(ms: number, answer: Promise<T>, message: string): Promise<T> {
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
  return problems[(errcode ?? 0) & 0xff] ?? 'the database does not take a write';
}

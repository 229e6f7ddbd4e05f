import type { Form } from '../../content/content.ts';
import type { CountRow } from '../../figures/counting.ts';
import { pageSize } from '../archive.ts';
import { type DefinitionRow, type KeptRow, type SubmissionRow, toRow } from '../kept-row.ts';
import { createReference } from '../reference.ts';
import { type Added, type Store, StoreUnavailable, StoreUnfit } from '../submission-store.ts';
import { databasePath } from './database.ts';
import type { Group } from './submissions.ts';
import type { SqliteOperations, ThreadData } from './thread.ts';
import { startThread } from './thread-calls.ts';

export interface SqliteStore extends Store {
  countKept(): Promise<number>;
  /** Takes some that nobody is sending, delivered or not, for `leaseMs`: they are not sent from here meanwhile. */
  claimForMoving(now: Date, limit: number, leasedUntil: Date): Promise<KeptRow[]>;
  dropMoved(references: readonly string[], leasedUntil: Date): Promise<void>;
  /** All that was counted here so far. Nothing is added to it any more; it is there until it is dropped. */
  claimCounts(): Promise<CountRow[]>;
  dropCounts(origins: readonly string[]): Promise<void>;
  /** Counts here what was to be counted in another database, because there is none any more. */
  countNoted(): Promise<void>;
}

export interface SqliteOptions {
  /** Looks for damage first. It reads the whole file, so it is for whoever starts to serve from it. */
  inspect?: boolean;
  /** False beside a server that may be of another version. */
  migrates?: boolean;
  /** Told when the data folder was replaced under the running server, with how many requests were taken along. */
  onReplaced?: (count: number) => void;
  /** Told when its thread has died and cannot be started again. */
  onLost?: (error: Error) => void;
}

/** Longer than any lock is waited for. A browser gives up after fifteen seconds. */
const visitorMs = 8_000;
/** For what nobody waits for, such as erasing a hundred at a time. */
const othersMs = 30_000;

interface Waiting {
  form: Form;
  row: SubmissionRow;
  resolve: (added: Added) => void;
  reject: (error: Error) => void;
}

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
    onEvent: (_event, count) => options.onReplaced?.(count),
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
    return within(urgent ? visitorMs : othersMs, answer).catch(unavailable('SQLite could not be asked'));
  };

  // All submissions that come in while the last group is written share one transaction, and so one sync.
  let waiting: Waiting[] = [];
  async function addWaiting(): Promise<void> {
    let group: Waiting[] = [];
    try {
      const takeGroup = (): [Group] => {
        [group, waiting] = [waiting, []];
        return [{ definitions: definitionsOf(group), rows: group.map(({ row }) => row) }];
      };
      const results = await thread.call('add', takeGroup, true);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Added);
    } catch (error) {
      // A thread that could not even be asked has taken nothing.
      for (const { reject } of group.length > 0 ? group : waiting.splice(0)) reject(error as Error);
    }
  }

  return {
    description: `SQLite in ${databasePath(dataDir)}`,
    add(submission) {
      const adding = new Promise<Added>((resolve, reject) => {
        const row = toRow(submission, submission.reference ?? createReference());
        if (waiting.push({ form: submission.form, row, resolve, reject }) === 1) void addWaiting();
      });
      return within(visitorMs, adding).catch(unavailable('SQLite could not keep the submission'));
    },
    findByToken: (tokenHash) => ask('findByToken', [tokenHash], true),
    tryKeeping: () => ask('tryKeeping', [new Date().toISOString()], true),

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

    findSubmission: (...given) => ask('findSubmission', given),
    async *iterateSubmissions(filter) {
      let before = Number.MAX_SAFE_INTEGER;
      for (;;) {
        const page = await ask('readPage', [filter, before]);
        yield* page;
        if (page.length < pageSize) return;
        before = page.at(-1)?.id ?? 0;
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
    takeOver: (...given) => ask('takeOver', given),

    readFigures: (...given) => ask('readFigures', given),
    readCounts: () => ask('readCounts', []),
    mergeCounts: (...given) => ask('mergeCounts', given),
    claimCounts: () => ask('claimCounts', []),
    dropCounts: (...given) => ask('dropCounts', given),
    countNoted: () => ask('countNoted', []),

    countKept: () => ask('countKept', []),
    claimForMoving: (...given) => ask('claimForMoving', given),
    dropMoved: (...given) => ask('dropMoved', given),

    close: () => thread.close(),
  };
}

/** Each form once, however many of the group answer it. Written out once for as long as the content stays. */
function definitionsOf(group: readonly Waiting[]): DefinitionRow[] {
  return [...new Set(group.map(({ form }) => form))].map((form) => {
    const definition = written.get(form) ?? JSON.stringify(form.definition);
    written.set(form, definition);
    return { hash: form.hash, form: form.name, definition };
  });
}
const written = new WeakMap<Form, string>();

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

const unavailable = (message: string) => (cause: unknown) => {
  throw new StoreUnavailable(message, { cause, problem: describeFailure(cause) });
};

class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/** A disk that hangs answers nothing, not even that it fails. What was asked of it may still be done: the same token tells. */
function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer('SQLite does not answer')), ms);
  });
  return Promise.race([answer, tooLong]).finally(() => clearTimeout(timer));
}

function describeFailure(cause: unknown): string {
  if (cause instanceof NoAnswer) return 'the disk does not answer';
  const { errcode, code } = cause as { errcode?: number; code?: string };
  if (code === 'ENOSPC') return 'the disk is full';
  return problems[(errcode ?? 0) & 0xff] ?? 'the database does not take a write';
}

import { runEvery } from '../../time/run-every.ts';
import { ignoreUnavailable, StoreUnavailable } from '../contract/errors.ts';
import { createReference } from '../contract/reference.ts';
import type { SharedStore, Store } from '../contract/store.ts';
import type { Added, NewSubmission, Spent } from '../contract/submission.ts';
import type { Transferable, TransferSource, TransferTarget } from '../contract/transfer.ts';
import { joinArchives } from './joined-archive.ts';
import { joinCanaries } from './joined-canary.ts';
import { joinFollowUps } from './joined-follow-ups.ts';
import { joinJobs, joinTimes } from './joined-jobs.ts';
import { joinQueues } from './joined-queue.ts';
import { createSharedDatabase } from './shared-database.ts';

/** How often submissions are transferred out of the fallback, while the shared database is reachable. */
const transferEveryMs = 2_000;
/** Submissions transferred at a time: few enough that no visitor waits for the transfer. */
const batchSize = 20;
/** Submissions in transfer are not mailed from the fallback for this long. After a crash a later transfer takes them. */
const transferLeaseMs = 20_000;
/** A submission that the shared database may have is not mailed from here for this long: any other server could mail it too. */
const mayBeInBothMs = 30_000;
/** Outcomes remembered, so that a form that is sent again just when the shared database goes away is recognised. */
const maxRecent = 10_000;

interface FallbackParts<Row extends Transferable> {
  /** The shared database in words, known before it is reached. */
  description: string;
  connect: () => Promise<SharedStore & TransferTarget<Row>>;
  /** The same store in a file of this server's own. */
  fallback: Store & TransferSource<Row>;
  now: () => Date;
  onAway: (error: Error) => void;
  onStillAway: (error: unknown) => void;
  onBack: (store: SharedStore) => Promise<void>;
  onTransferred: (count: number) => void;
  onTransferFailed: (error: unknown) => void;
}

export interface StoreWithFallback<Row extends Transferable = never> extends Store, TransferTarget<Row> {
  /** Connects to the shared database before anyone is served. @throws the reason why it cannot be used; the fallback serves all the same. */
  check(trial?: boolean): Promise<void>;
  /** Transfers what is in the fallback, as far as possible. */
  transfer(): Promise<void>;
  /** Reconnects whenever the shared database is away, and transfers whenever the fallback has something. */
  watch(): void;
  readonly isAway: boolean;
  /** Whether the fallback has submissions that the shared database does not have yet. */
  readonly holdsSubmissions: boolean;
}

/**
 * PostgreSQL, and while it is away a file of this server's own: a restart of the database refuses nobody. Submissions in
 * the file are transferred once, as soon as the database is back, under the reference that the visitor has.
 */
export function createStoreWithFallback<Row extends Transferable>(
  parts: FallbackParts<Row>,
): StoreWithFallback<Row> {
  const { fallback, now } = parts;
  const shared = createSharedDatabase(parts);
  /** What is in the fallback. It is asked too, unless it is known to have nothing. */
  let contents: 'nothing' | 'unknown' | 'submissions' = 'unknown';
  const isFallbackInUse = () => contents !== 'nothing';
  /** How many submissions went to the fallback, so that a transfer notices one that came in meanwhile. */
  let additions = 0;
  /** Whether the fallback's files may still have the answers of transferred submissions. Unknown at the start, so assumed. */
  let needsScrub = true;
  let stopTransfers = () => {};
  /** References in the fallback that the shared database may have too. */
  const mayBeInBoth = new Set<string>();
  /** By token hash: what the token was spent on; null where the submission was refused. */
  const recentOutcomes = new Map<string, Promise<Spent | null>>();

  /** A failing fallback is no reason to refuse what the shared database would take. */
  const findInFallback = (tokenHash: string) =>
    shared.isAway
      ? fallback.findByToken(tokenHash)
      : fallback.findByToken(tokenHash).catch(ignoreUnavailable(null));

  async function addToEither(submission: NewSubmission): Promise<Added> {
    const spent = isFallbackInUse() ? await findInFallback(submission.tokenHash) : null;
    if (spent) return { added: false, spent };
    // One reference for both databases: where the reply of the shared one was lost, the transfer recognises the request.
    const withReference = { ...submission, reference: createReference() };
    let mayBeInShared = false;
    try {
      return await shared.use((store) => store.add(withReference));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      mayBeInShared = error.mayBeStored;
    }
    contents = 'submissions';
    additions++;
    const mailAfter = mayBeInShared ? new Date(now().getTime() + mayBeInBothMs) : undefined;
    const result = await fallback.add({ ...withReference, mailAfter });
    if (mayBeInShared && result.added) mayBeInBoth.add(result.receipt.reference);
    return result;
  }

  /** A token that is sent twice, at once or soon after, gets the outcome of the first. */
  async function add(submission: NewSubmission): Promise<Added> {
    const { tokenHash, answersHash } = submission;
    for (let before = recentOutcomes.get(tokenHash); before; before = recentOutcomes.get(tokenHash)) {
      const spent = await before;
      if (spent) return { added: false, spent };
    }
    const adding = addToEither(submission);
    const oldest = recentOutcomes.keys().next();
    if (recentOutcomes.size >= maxRecent && !oldest.done) recentOutcomes.delete(oldest.value);
    recentOutcomes.set(
      tokenHash,
      adding.then(
        (result) => (result.added ? { answersHash, receipt: result.receipt } : result.spent),
        () => {
          recentOutcomes.delete(tokenHash);
          return null;
        },
      ),
    );
    return adding;
  }

  async function findByToken(tokenHash: string): Promise<Spent | null> {
    const known =
      (await recentOutcomes.get(tokenHash)) ?? (isFallbackInUse() ? await findInFallback(tokenHash) : null);
    return known ?? shared.use((store) => store.findByToken(tokenHash)).catch(ignoreUnavailable(null));
  }

  /** Counts from before there was a shared database, or of submissions erased while it was away. */
  async function transferCounts(): Promise<void> {
    const rows = await fallback.claimCounts();
    if (rows.length === 0) return;
    await shared.use((store) => store.mergeCounts(rows));
    await fallback.dropCounts([...new Set(rows.map(({ origin }) => origin))]);
  }

  async function transferAll(): Promise<void> {
    await transferSubmissions();
    if (!shared.isAway) await transferCounts();
  }

  async function transferSubmissions(): Promise<void> {
    // The command writes to the fallback too, and so does a server that shares the folder.
    if ((await fallback.countAll()) > 0) contents = 'submissions';
    else if (contents === 'submissions') contents = 'unknown';
    while (isFallbackInUse() && !shared.isAway) {
      const before = additions;
      const at = now();
      const leasedUntil = new Date(at.getTime() + transferLeaseMs);
      const rows = await fallback.claimForTransfer(at, batchSize, leasedUntil);
      if (rows.length === 0) {
        // What is left is being mailed from here; the next run transfers it.
        if ((await fallback.countAll()) > 0 || before !== additions) return;
        contents = 'nothing';
        // The fallback's log still has the answers of transferred submissions, which may be erased in the shared database one day.
        if (needsScrub) needsScrub = !(await fallback.scrub());
        return;
      }
      const references = rows.map(({ reference }) => reference);
      try {
        await shared.use((store) => store.importRows(rows));
      } catch (error) {
        if (error instanceof StoreUnavailable && error.mayBeStored)
          for (const reference of references) mayBeInBoth.add(reference);
        throw error;
      }
      await fallback.dropTransferred(rows, leasedUntil, now());
      for (const reference of references) mayBeInBoth.delete(reference);
      needsScrub = true;
      parts.onTransferred(rows.length);
    }
  }

  return {
    ...joinQueues(shared, fallback, isFallbackInUse),
    ...joinFollowUps(shared, fallback, isFallbackInUse),
    ...joinJobs({
      ...{ shared, fallback, isFallbackInUse },
      mayBeInBoth: (reference) => mayBeInBoth.has(reference),
    }),
    ...joinTimes(shared, fallback),
    ...joinArchives(shared, fallback, isFallbackInUse),
    ...joinCanaries(shared, fallback),
    importRows: (rows) => shared.use((store) => store.importRows(rows)),
    // Submissions in the fallback are counted once they are transferred.
    readFigures: (from, to) => shared.use((store) => store.readFigures(from, to)),
    readCounts: () => shared.use((store) => store.readCounts()),
    mergeCounts: (rows) => shared.use((store) => store.mergeCounts(rows)),
    description: `${parts.description}; while it is away ${fallback.description}`,
    get isAway() {
      return shared.isAway;
    },
    get holdsSubmissions() {
      return contents === 'submissions';
    },
    add,
    findByToken,
    // A submission can be stored if either database takes it.
    tryWrite: () =>
      shared
        .use((store) => store.tryWrite())
        .catch((error) => {
          if (!(error instanceof StoreUnavailable)) throw error;
          return fallback.tryWrite();
        }),
    check: (trial) => shared.check(trial),
    transfer: transferAll,
    watch() {
      shared.watch();
      stopTransfers = runEvery(transferEveryMs, transferAll, parts.onTransferFailed);
    },
    async close() {
      stopTransfers();
      await shared.close();
      await fallback.close();
    },
  };
}

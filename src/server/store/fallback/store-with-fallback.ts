import { runEvery } from '../../time/run-every.ts';
import { ignoreAway, StoreUnavailable } from '../contract/errors.ts';
import { createReference } from '../contract/reference.ts';
import type { SharedStore, Store } from '../contract/store.ts';
import type { Added, NewSubmission, Spent } from '../contract/submission.ts';
import type { Transferable, TransferSource, TransferTarget } from '../contract/transfer.ts';
import { joinArchives } from './joined-archive.ts';
import { joinCanaries } from './joined-canary.ts';
import { joinLeases } from './joined-leases.ts';
import { joinQueues } from './joined-queue.ts';
import { createPrimary } from './shared-database.ts';

/** How often to look for something that is still in the spare, while the database is there. */
const moveEveryMs = 2_000;
/** Moved at a time: few enough that nobody waits for it. */
const batch = 20;
/** Not sent from the spare for this long. Whoever dies while moving leaves them to a later try. */
const moveLeaseMs = 20_000;
/** What the database may have kept is not mailed from here for this long: all servers that know it could mail it too. */
const unsureMs = 30_000;
/** Forms sent lately are remembered, so that one sent again just when the database goes is known. */
const rememberAtMost = 10_000;

export interface SpareParts<Row extends Transferable> {
  /** The database in words, with or without it being there. */
  description: string;
  connect: () => Promise<SharedStore & TransferTarget<Row>>;
  /** The same store in a file of this server's own. */
  spare: Store & TransferSource<Row>;
  now: () => Date;
  onAway: (error: Error) => void;
  onStillAway: (error: unknown) => void;
  onBack: (store: SharedStore) => Promise<void>;
  onMoved: (count: number) => void;
  onMoveFailed: (error: unknown) => void;
}

export interface StoreWithSpare<Row extends Transferable = never> extends Store, TransferTarget<Row> {
  /** Looks for the database before anyone is served. @throws what keeps it from being used; the spare serves all the same. */
  look(trial?: boolean): Promise<void>;
  /** Moves what was kept meanwhile, as far as it can be. */
  move(): Promise<void>;
  /** Looks for it from now on, and moves whenever there is something. */
  watch(): void;
  readonly isAway: boolean;
  /** Whether requests are kept here that the database does not have yet. */
  readonly holdsSome: boolean;
}

/**
 * PostgreSQL, and while it is away a file of this server's own: nobody is refused for a database that is restarted.
 * What the file holds goes over as soon as the database is back, once, with the reference the visitor has.
 */
export function createStoreWithSpare<Row extends Transferable>(parts: SpareParts<Row>): StoreWithSpare<Row> {
  const { spare, now } = parts;
  const primary = createPrimary(parts);
  /** Whether the spare may hold something: at the start nobody knows. */
  let inSpare = true;
  let additions = 0;
  let isHolding = false;
  /** Whether its files may hold something that was moved: at the start nobody knows. */
  let traces = true;
  let stopMoving = () => {};
  /** References in the spare that the database may have too. */
  const unsure = new Set<string>();
  const lately = new Map<string, Promise<Spent | null>>();

  /** A spare that fails is no reason to refuse what the database would take. */
  const findInSpare = (tokenHash: string) =>
    primary.isAway ? spare.findByToken(tokenHash) : spare.findByToken(tokenHash).catch(ignoreAway(null));

  async function keep(submission: NewSubmission): Promise<Added> {
    const spent = inSpare ? await findInSpare(submission.tokenHash) : null;
    if (spent) return { added: false, spent };
    // One name for both: where the database kept it and could not say so, it is the same request when it is moved.
    const named = { ...submission, reference: createReference() };
    let mayBeThere = false;
    try {
      return await primary.use((store) => store.add(named));
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      mayBeThere = error.mayBeKept;
    }
    inSpare = isHolding = true;
    additions++;
    const mailAfter = mayBeThere ? new Date(now().getTime() + unsureMs) : undefined;
    const kept = await spare.add({ ...named, countLater: true, mailAfter });
    if (mayBeThere && kept.added) unsure.add(kept.receipt.reference);
    return kept;
  }

  /** A token twice at a time, or again just after: whatever became of the first is said of the second too. */
  async function add(submission: NewSubmission): Promise<Added> {
    const { tokenHash, answersHash } = submission;
    for (let before = lately.get(tokenHash); before; before = lately.get(tokenHash)) {
      const spent = await before;
      if (spent) return { added: false, spent };
    }
    const keeping = keep(submission);
    const oldest = lately.keys().next();
    if (lately.size >= rememberAtMost && !oldest.done) lately.delete(oldest.value);
    lately.set(
      tokenHash,
      keeping.then(
        (result) => (result.added ? { answersHash, receipt: result.receipt } : result.spent),
        () => {
          lately.delete(tokenHash);
          return null;
        },
      ),
    );
    return keeping;
  }

  async function findByToken(tokenHash: string): Promise<Spent | null> {
    const known = (await lately.get(tokenHash)) ?? (inSpare ? await findInSpare(tokenHash) : null);
    return known ?? primary.use((store) => store.findByToken(tokenHash)).catch(ignoreAway(null));
  }

  /** From before there was a database, or of what was erased while it was away. */
  async function moveCounts(): Promise<void> {
    const rows = await spare.claimCounts();
    if (rows.length === 0) return;
    await primary.use((store) => store.mergeCounts(rows));
    await spare.dropCounts([...new Set(rows.map(({ origin }) => origin))]);
  }

  async function moveAll(): Promise<void> {
    await moveRequests();
    if (!primary.isAway) await moveCounts();
  }

  async function moveRequests(): Promise<void> {
    // Others write to it too: the command, and a server that shares the folder.
    isHolding = (await spare.countKept()) > 0;
    inSpare ||= isHolding;
    while (inSpare && !primary.isAway) {
      const before = additions;
      const at = now();
      const leasedUntil = new Date(at.getTime() + moveLeaseMs);
      const rows = await spare.claimForMoving(at, batch, leasedUntil);
      if (rows.length === 0) {
        // What is left is just being sent from here; the next round takes it.
        if ((await spare.countKept()) > 0 || before !== additions) return;
        inSpare = isHolding = false;
        // Its log still has the words of what was moved, which may be erased elsewhere one day.
        if (traces) traces = !(await spare.scrub());
        return;
      }
      const references = rows.map(({ reference }) => reference);
      try {
        await primary.use((store) => store.takeOver(rows));
      } catch (error) {
        if (error instanceof StoreUnavailable && error.mayBeKept)
          for (const reference of references) unsure.add(reference);
        throw error;
      }
      await spare.dropMoved(references, leasedUntil);
      for (const reference of references) unsure.delete(reference);
      traces = true;
      parts.onMoved(rows.length);
    }
  }

  return {
    ...joinQueues({
      primary,
      spare,
      isInSpare: () => inSpare,
      isUnsure: (reference) => unsure.has(reference),
    }),
    ...joinLeases(primary, spare),
    ...joinArchives(primary, spare, () => inSpare),
    ...joinCanaries(primary, spare),
    takeOver: (rows) => primary.use((store) => store.takeOver(rows)),
    // What the spare keeps is counted once it has moved.
    readFigures: (from, to) => primary.use((store) => store.readFigures(from, to)),
    readCounts: () => primary.use((store) => store.readCounts()),
    mergeCounts: (rows) => primary.use((store) => store.mergeCounts(rows)),
    description: `${parts.description}; while it is away ${spare.description}`,
    get isAway() {
      return primary.isAway;
    },
    get holdsSome() {
      return isHolding;
    },
    add,
    findByToken,
    // Either will do.
    tryWrite: () =>
      primary
        .use((store) => store.tryWrite())
        .catch((error) => {
          if (!(error instanceof StoreUnavailable)) throw error;
          return spare.tryWrite();
        }),
    look: (trial) => primary.look(trial),
    move: moveAll,
    watch() {
      primary.watch();
      stopMoving = runEvery(moveEveryMs, moveAll, parts.onMoveFailed);
    },
    async close() {
      stopMoving();
      await primary.close();
      await spare.close();
    },
  };
}

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CountRow } from '../contract/counts.ts';
import { iterateTransferRows, type TransferPage, type TransferRow } from '../rows/transfer-row.ts';

/** The file exists while a move has begun and not ended: both databases may have the same request. */
export const unfinishedMovePath = (dataDir: string) => join(dataDir, 'unfinished-move');

/** One of the two databases of a move. */
export interface TransferEndpoint {
  readonly description: string;
  count(): Promise<number>;
  /** A page of all submissions, after the last one of the page before. */
  readRows(after: number, limit: number): Promise<TransferPage>;
  /** Stores each submission once, however often it is brought. Undelivered ones are not due before {@link endLeases}. */
  receive(rows: readonly TransferRow[]): Promise<void>;
  /** The state here of a submission that was received. */
  findReceived(row: TransferRow): Promise<TransferRow | null>;
  readCounts(): Promise<CountRow[]>;
  /** Counts that are merged twice count once. */
  mergeCounts(rows: readonly CountRow[]): Promise<void>;
  /** From now on undelivered submissions are due as they were in the other database. */
  endLeases(): Promise<void>;
  /** Erases everything, counts included, from the database's files too. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Rows in a transaction: a kill undoes at most this many. */
const batchSize = 100;

export class TransferMismatch extends Error {
  override name = 'TransferMismatch';
}

/**
 * Moves everything from one database to the other. Killed at any point and run again, nothing is lost and nothing is due
 * in both: received submissions wait under a lease, the source is emptied only after each was read back and compared, and
 * then the leases end. Resolves to how many there were.
 *
 * @throws {TransferMismatch} where a submission differs; then the source is left as it is
 */
export async function moveEverything(
  from: TransferEndpoint,
  to: TransferEndpoint,
  onProgress: (step: 'moved' | 'compared', done: number) => void,
): Promise<number> {
  const total = await from.count();
  let done = 0;
  for await (const rows of iterateTransferRows(from.readRows, batchSize)) {
    await to.receive(rows);
    done += rows.length;
    onProgress('moved', done);
  }
  let same = 0;
  for await (const rows of iterateTransferRows(from.readRows, batchSize)) {
    for (const row of rows) if (isSame(row, await to.findReceived(row))) same++;
    onProgress('compared', same);
  }
  if (done !== total || same !== total)
    throw new TransferMismatch(`${same} of ${total} are the same in both`);
  await to.mergeCounts(await from.readCounts());
  await from.empty();
  await to.endLeases();
  return total;
}

/** A submission that the target has delivered, or staff have followed up there, meanwhile counts as the same. */
function isSame(row: TransferRow, moved: TransferRow | null): boolean {
  if (!moved || hash(contentOf(row)) !== hash(contentOf(moved))) return false;
  const isDeliveredThere = moved.deliveredAt !== null && row.deliveredAt === null;
  // ISO 8601, which compares as text.
  const isFollowedUpThere = (moved.followedUpAt ?? '') > (row.followedUpAt ?? '');
  if (!isFollowedUpThere && hash(stepsOf(row)) !== hash(stepsOf(moved))) return false;
  return isDeliveredThere || hash(deliveryOf(row)) === hash(deliveryOf(moved));
}

const hash = (values: unknown[]) => createHash('sha256').update(JSON.stringify(values)).digest('hex');
const time = (text: string | null) => (text === null ? null : Date.parse(text));

const contentOf = ({ form, definition, definitionText, answers, sealedAnswers, ...rest }: TransferRow) => [
  ...[form, definition, definitionText, answers, sealedAnswers],
  ...[rest.verdict, rest.answersHash, rest.language, time(rest.receivedAt)],
];

/** Without the next attempt, which each database has by its own clock. */
const deliveryOf = ({ attempts, held, urgent, rank, escalatedAt, ...rest }: TransferRow) => [
  ...[attempts, held, urgent, rank, time(escalatedAt)],
  ...[time(rest.deliveredAt), time(rest.parkedAt), rest.lastError],
];

const stepsOf = ({ takenBy, takenAt, answeredBy, answeredAt }: TransferRow) => [
  ...[takenBy, time(takenAt), answeredBy, time(answeredAt)],
];

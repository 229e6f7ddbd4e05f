import { createHash } from 'node:crypto';
import type { CountRow } from '../contract/counts.ts';
import type { TransferRow } from '../rows/transfer-row.ts';

/** One of the two databases between which everything moves. */
export interface TransferEndpoint {
  readonly description: string;
  count(): Promise<number>;
  /** A page of all there is, after the last of the page before. */
  readRows(after: number, limit: number): Promise<{ last: number; rows: TransferRow[] }>;
  /** Keeps them, each once however often it is asked. What is undelivered is not due before {@link endLeases}. */
  receive(rows: readonly TransferRow[]): Promise<void>;
  /** What has become of one that was moved in. */
  findReceived(row: TransferRow): Promise<TransferRow | null>;
  /** What is counted, and takes it in: the same counts once however often they are brought. */
  readCounts(): Promise<CountRow[]>;
  mergeCounts(rows: readonly CountRow[]): Promise<void>;
  /** From now on, what was moved in is due as it was. */
  endLeases(): Promise<void>;
  /** Erases everything, what is counted too, and takes it out of the database's files. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** Few enough that a kill undoes little. */
const batch = 100;

export class TransferMismatch extends Error {
  override name = 'NotTheSame';
}

/**
 * All that is in one database into the other. Killed at any point and run again, nothing is lost and nothing is due in
 * both: what was moved waits under a lease, the old one is emptied only after each was read back and compared, and then
 * the leases end. Tells how many there were.
 *
 * @throws {TransferMismatch} where something is not there as it is here; then the old one keeps everything
 */
export async function moveEverything(
  from: TransferEndpoint,
  to: TransferEndpoint,
  onProgress: (step: 'moved' | 'compared', done: number) => void,
): Promise<number> {
  const total = await from.count();
  let done = 0;
  for await (const rows of pagesOf(from)) {
    await to.receive(rows);
    done += rows.length;
    onProgress('moved', done);
  }
  let same = 0;
  for await (const rows of pagesOf(from)) {
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

async function* pagesOf(end: TransferEndpoint): AsyncGenerator<TransferRow[]> {
  for (let after = 0; ; ) {
    const { last, rows } = await end.readRows(after, batch);
    if (rows.length === 0) return;
    yield rows;
    after = last;
  }
}

/** One that reached staff from the new database already is as good as the same. */
function isSame(row: TransferRow, moved: TransferRow | null): boolean {
  if (!moved || hash(contentOf(row)) !== hash(contentOf(moved))) return false;
  const isDeliveredThere = moved.deliveredAt !== null && row.deliveredAt === null;
  return isDeliveredThere || hash(deliveryOf(row)) === hash(deliveryOf(moved));
}

const hash = (values: unknown[]) => createHash('sha256').update(JSON.stringify(values)).digest('hex');
const time = (text: string | null) => (text === null ? null : Date.parse(text));

const contentOf = ({ form, definition, definitionText, answers, sealedAnswers, ...rest }: TransferRow) => [
  ...[form, definition, definitionText, answers, sealedAnswers],
  ...[rest.verdict, rest.answersHash, time(rest.receivedAt)],
];

/** But for when it is tried next, which each database has by its own clock. */
const deliveryOf = ({ attempts, held, urgent, rank, escalatedAt, ...rest }: TransferRow) => [
  ...[attempts, held, urgent, rank, time(escalatedAt)],
  ...[time(rest.deliveredAt), time(rest.parkedAt), rest.lastError],
];

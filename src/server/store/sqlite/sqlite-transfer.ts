import type { DatabaseSync } from 'node:sqlite';
import { countDelivered } from '../../figures/counting.ts';
import { latestPlausible } from '../contract/leases.ts';
import { aliasesOf, findSame, type KnownSubmission, renamed } from '../rows/same-submission.ts';
import { selectTransferRows } from '../rows/selects.ts';
import { type TransferRow, toTransferRow } from '../rows/transfer-row.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';
import { prepareInserts } from './sqlite-submissions.ts';

/** What takes submissions from this file to another database, and into it. */
export function createSqliteTransfer(db: DatabaseSync) {
  const claim = db.prepare(`
    UPDATE deliveries SET leased_until = :until WHERE submission IN (
      SELECT submission FROM deliveries WHERE leased_until IS NULL OR leased_until <= :now OR leased_until > :far
      ORDER BY submission LIMIT :limit
    ) RETURNING submission`);
  const find = db.prepare(`${selectTransferRows} WHERE s.id = ?`);
  const readAll = db.prepare(`${selectTransferRows} WHERE s.canary = 0 AND s.id > ? ORDER BY s.id LIMIT ?`);
  const findUndelivered = db.prepare(
    `${selectTransferRows} WHERE s.id IN (SELECT submission FROM deliveries WHERE delivered_at IS NULL) ORDER BY s.id`,
  );
  const drop = db.prepare(`
    DELETE FROM submissions WHERE reference = ?
      AND (SELECT leased_until FROM deliveries WHERE submission = id) = ?`);
  const { insertDefinition: keepDefinition, insertSubmission: keepSubmission } = prepareInserts(db);
  const keepDelivery = db.prepare(`
    INSERT INTO deliveries (submission, attempts, next_attempt_at, held, urgent, rank, escalated_at, leased_until, delivered_at, parked_at, last_error, counted)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const keep = (row: TransferRow) => {
    keepDefinition({ hash: row.definition, form: row.form, definition: row.definitionText });
    const id = keepSubmission(row);
    if (id === null) throw new Error('A place that was free is taken');
    keepDelivery.run(id, ...stateOf(row));
  };
  const refresh = db.prepare(`
    UPDATE deliveries SET attempts = ?, next_attempt_at = ?, held = ?, urgent = ?, rank = ?, escalated_at = ?, leased_until = ?,
      delivered_at = ?, parked_at = ?, last_error = ?, counted = max(counted, ?)
    WHERE submission = ? AND delivered_at IS NULL`);
  const noteDelivered = db.prepare(
    'UPDATE deliveries SET delivered_at = ?, rank = 1 WHERE submission = ? AND delivered_at IS NULL',
  );
  const forgetCounts = db.prepare('UPDATE submissions SET to_count = NULL WHERE id = ?');
  const { addCounts, setCounted } = prepareCounting(db);
  const findUncounted = db.prepare(
    'SELECT 1 FROM submissions s JOIN deliveries v ON v.submission = s.id WHERE s.id = ? AND s.to_count IS NULL AND v.counted = 0',
  );
  const noteSame = (row: TransferRow, id: number) => {
    // Where the other has counted it, nothing is left to count here.
    if (row.counts.length === 0) forgetCounts.run(id);
    if (!row.deliveredAt || Number(noteDelivered.run(row.deliveredAt, id).changes) === 0) return;
    if (row.counted) setCounted(id);
    else if (findUncounted.get(id)) {
      addCounts([countDelivered(row.form, new Date(row.receivedAt), new Date(row.deliveredAt))]);
      setCounted(id);
    }
  };
  const findKnown = db.prepare(
    'SELECT id, reference, token_hash FROM submissions WHERE token_hash IN (?, ?) OR reference IN (?, ?, ?)',
  );
  const placeFor = (row: TransferRow) => {
    const { tokens, names } = aliasesOf(row);
    return findSame(row, findKnown.all(...tokens, ...names) as unknown as KnownSubmission[]);
  };

  return {
    countAll: (): number => Number(db.prepare('SELECT count(*) AS n FROM submissions').get()?.n),

    countForTransfer: (): number =>
      Number(db.prepare('SELECT count(*) AS n FROM submissions WHERE canary = 0').get()?.n),

    /** Takes some that nobody is sending. Until the lease is over they are not sent from here. */
    claimForTransfer(now: Date, limit: number, leasedUntil: Date): TransferRow[] {
      const claimed = claim.all({
        until: leasedUntil.toISOString(),
        now: now.toISOString(),
        far: latestPlausible(now).toISOString(),
        limit,
      });
      return claimed.map(({ submission }) => toTransferRow(find.get(Number(submission)) ?? {}));
    },

    /** Only those whose lease is still that of this claim. */
    dropTransferred: (references: readonly string[], leasedUntil: Date): void =>
      inTransaction(db, () => {
        for (const reference of references) drop.run(reference, leasedUntil.toISOString());
      }),

    dropUndelivered: () =>
      db.exec(
        'DELETE FROM submissions WHERE id IN (SELECT submission FROM deliveries WHERE delivered_at IS NULL)',
      ),

    /** A page of all there is but for the canary, after this id, and whatever is done with it elsewhere. */
    readRows: (after: number, limit: number): { last: number; rows: TransferRow[] } => {
      const found = readAll.all(after, limit);
      return { last: Number(found.at(-1)?.id ?? after), rows: found.map(toTransferRow) };
    },

    findUndelivered: (): TransferRow[] => findUndelivered.all().map(toTransferRow),

    /** Those that are there already stay, with what was delivered since. Tells how many were not. */
    importRows: (rows: readonly TransferRow[]): number =>
      inTransaction(db, () => {
        let count = 0;
        for (const row of rows) {
          const { same, ...place } = placeFor(row);
          if (!same) keep(renamed(row, place));
          else noteSame(row, Number(same.id));
          if (!same) count++;
        }
        return count;
      }),

    /** A move that may have been broken off before: those that are there already stand where they stand in the other. */
    receive: (rows: readonly TransferRow[]): void =>
      inTransaction(db, () => {
        for (const row of rows) {
          const { same, ...place } = placeFor(row);
          if (!same) keep(renamed(row, place));
          else {
            if (row.counts.length === 0) forgetCounts.run(same.id);
            refresh.run(...stateOf(row), same.id);
          }
        }
      }),

    findReceived(row: TransferRow): TransferRow | null {
      const { same } = placeFor(row);
      return same && toTransferRow(find.get(same.id) ?? {});
    },

    endLeases: () => db.exec('UPDATE deliveries SET leased_until = NULL'),
    /** From now on it counts under another name: what was counted so far is in the other. */
    dropAll: () =>
      db.exec(
        'BEGIN IMMEDIATE; DELETE FROM submissions; DELETE FROM counts; UPDATE count_origin SET origin = lower(hex(randomblob(8))); COMMIT',
      ),
  };
}

/** In the order of the columns. */
function stateOf(row: TransferRow) {
  const { attempts, nextAttemptAt, held, urgent, rank = 1 } = row;
  const due = [attempts, nextAttemptAt, Number(held), Number(urgent), rank] as const;
  return [
    ...due,
    row.escalatedAt,
    row.leasedUntil,
    row.deliveredAt,
    row.parkedAt,
    row.lastError,
    Number(row.counted),
  ] as const;
}

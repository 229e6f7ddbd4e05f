import type { DatabaseSync } from 'node:sqlite';
import { countDelivered } from '../../figures/counting.ts';
import { farthestAhead } from '../contract/leases.ts';
import { aliasesOf, findPlace, inPlace, type Known } from '../rows/same-submission.ts';
import { selectKeptRows } from '../rows/selects.ts';
import { type KeptRow, toKeptRow } from '../rows/transfer-row.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';
import { prepareKeeping } from './sqlite-submissions.ts';

/** What takes submissions from this file to another database, and into it. */
export function createSqliteMoving(db: DatabaseSync) {
  const claim = db.prepare(`
    UPDATE deliveries SET leased_until = :until WHERE submission IN (
      SELECT submission FROM deliveries WHERE leased_until IS NULL OR leased_until <= :now OR leased_until > :far
      ORDER BY submission LIMIT :limit
    ) RETURNING submission`);
  const find = db.prepare(`${selectKeptRows} WHERE s.id = ?`);
  const readAll = db.prepare(`${selectKeptRows} WHERE s.canary = 0 AND s.id > ? ORDER BY s.id LIMIT ?`);
  const findUndelivered = db.prepare(
    `${selectKeptRows} WHERE s.id IN (SELECT submission FROM deliveries WHERE delivered_at IS NULL) ORDER BY s.id`,
  );
  const drop = db.prepare(`
    DELETE FROM submissions WHERE reference = ?
      AND (SELECT leased_until FROM deliveries WHERE submission = id) = ?`);
  const { keepDefinition, keepSubmission } = prepareKeeping(db);
  const keepDelivery = db.prepare(`
    INSERT INTO deliveries (submission, attempts, next_attempt_at, held, urgent, rank, escalated_at, leased_until, delivered_at, parked_at, last_error, counted)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const keep = (row: KeptRow) => {
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
  const noteSame = (row: KeptRow, id: number) => {
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
  const placeFor = (row: KeptRow) => {
    const { tokens, names } = aliasesOf(row);
    return findPlace(row, findKnown.all(...tokens, ...names) as unknown as Known[]);
  };

  return {
    countKept: (): number => Number(db.prepare('SELECT count(*) AS n FROM submissions').get()?.n),

    countForMoving: (): number =>
      Number(db.prepare('SELECT count(*) AS n FROM submissions WHERE canary = 0').get()?.n),

    /** Takes some that nobody is sending. Until the lease is over they are not sent from here. */
    claimForMoving(now: Date, limit: number, leasedUntil: Date): KeptRow[] {
      const claimed = claim.all({
        until: leasedUntil.toISOString(),
        now: now.toISOString(),
        far: farthestAhead(now).toISOString(),
        limit,
      });
      return claimed.map(({ submission }) => toKeptRow(find.get(Number(submission)) ?? {}));
    },

    /** Only those whose lease is still that of this claim. */
    dropMoved: (references: readonly string[], leasedUntil: Date): void =>
      inTransaction(db, () => {
        for (const reference of references) drop.run(reference, leasedUntil.toISOString());
      }),

    dropUndelivered: () =>
      db.exec(
        'DELETE FROM submissions WHERE id IN (SELECT submission FROM deliveries WHERE delivered_at IS NULL)',
      ),

    /** A page of all there is but for the canary, after this id, and whatever is done with it elsewhere. */
    readRows: (after: number, limit: number): { last: number; rows: KeptRow[] } => {
      const found = readAll.all(after, limit);
      return { last: Number(found.at(-1)?.id ?? after), rows: found.map(toKeptRow) };
    },

    findUndelivered: (): KeptRow[] => findUndelivered.all().map(toKeptRow),

    /** Those that are there already stay, with what was delivered since. Tells how many were not. */
    takeOver: (rows: readonly KeptRow[]): number =>
      inTransaction(db, () => {
        let count = 0;
        for (const row of rows) {
          const { same, ...place } = placeFor(row);
          if (!same) keep(inPlace(row, place));
          else noteSame(row, Number(same.id));
          if (!same) count++;
        }
        return count;
      }),

    /** A move that may have been broken off before: those that are there already stand where they stand in the other. */
    moveIn: (rows: readonly KeptRow[]): void =>
      inTransaction(db, () => {
        for (const row of rows) {
          const { same, ...place } = placeFor(row);
          if (!same) keep(inPlace(row, place));
          else {
            if (row.counts.length === 0) forgetCounts.run(same.id);
            refresh.run(...stateOf(row), same.id);
          }
        }
      }),

    findMoved(row: KeptRow): KeptRow | null {
      const { same } = placeFor(row);
      return same && toKeptRow(find.get(same.id) ?? {});
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
function stateOf(row: KeptRow) {
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

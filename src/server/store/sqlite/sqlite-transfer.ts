import type { DatabaseSync } from 'node:sqlite';
import { latestPlausible } from '../contract/jobs.ts';
import { countDelivered } from '../rows/counting.ts';
import { aliasesOf, type KnownSubmission, matchSubmission } from '../rows/same-submission.ts';
import { saveFollowUp } from '../rows/save-follow-up.ts';
import { selectTransferRows } from '../rows/selects.ts';
import { insertJobs } from '../rows/submission-jobs.ts';
import { type TransferPage, type TransferRow, toTransferRow } from '../rows/transfer-row.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';
import { createSqliteSql, sqliteDialect } from './sqlite-sql.ts';
import { prepareInserts } from './sqlite-submissions.ts';

/** As many ids as can be read: the newest first, because the log still has these where the database was cut off. */
function readIds(db: DatabaseSync, where: string) {
  const ids: number[] = [];
  try {
    // Prepared each time: a statement that has failed gives nothing when it is asked again.
    const all = db.prepare(`SELECT submission FROM deliveries WHERE ${where} ORDER BY submission DESC`);
    for (const { submission } of all.iterate()) ids.push(Number(submission));
    return { ids, isWhole: true };
  } catch {
    return { ids, isWhole: false };
  }
}

/** Transfers submissions from this file to another database, and into this file. */
export function createSqliteTransfer(db: DatabaseSync) {
  const claim = db.prepare(`
    UPDATE deliveries SET leased_until = :until WHERE submission IN (
      SELECT submission FROM deliveries WHERE (leased_until IS NULL OR leased_until <= :now OR leased_until > :far)
        AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.submission = deliveries.submission
          AND jobs.leased_until > :now AND jobs.leased_until <= :far)
      ORDER BY submission LIMIT :limit
    ) RETURNING submission`);
  const claimJobs = db.prepare('UPDATE jobs SET leased_until = ? WHERE submission = ?');
  const selectRows = selectTransferRows(sqliteDialect);
  const find = db.prepare(`${selectRows} WHERE s.id = ?`);
  /** The part of a damaged file that has the jobs may be lost. */
  const findWithoutJobs = db.prepare(`${selectTransferRows({ writeJobs: () => 'NULL' })} WHERE s.id = ?`);
  const readAll = db.prepare(`${selectRows} WHERE s.canary = 0 AND s.id > ? ORDER BY s.id LIMIT ?`);
  const drop = db.prepare(`
    DELETE FROM submissions WHERE reference = ? AND EXISTS (
      SELECT 1 FROM deliveries
      WHERE submission = id AND leased_until = ? AND followed_up_at IS ?)`);
  const { insertDefinition, insertSubmission } = prepareInserts(db);
  const insertDelivery = db.prepare(`
    INSERT INTO deliveries (submission, attempts, next_attempt_at, held, urgent, rank, leased_until, delivered_at, parked_at, last_error, counted)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const insertJobsOf = insertJobs(sqliteDialect);
  const { query } = createSqliteSql(db);
  const insertRow = async (row: TransferRow) => {
    insertDefinition({ hash: row.definition, form: row.form, definition: row.definitionText });
    const id = insertSubmission(row);
    if (id === null) throw new Error('A reference that was free is taken');
    insertDelivery.run(id, ...stateOf(row));
    await saveFollowUp(query, id, row);
    await query(insertJobsOf, [id, row.reference, row.jobs]);
  };
  const setDelivered = db.prepare(
    'UPDATE deliveries SET delivered_at = ? WHERE submission = ? AND delivered_at IS NULL',
  );
  const forgetCounts = db.prepare('UPDATE submissions SET to_count = NULL WHERE id = ?');
  const { countDelivery, setCounted } = prepareCounting(db);
  const updateDelivered = (row: TransferRow, id: number) => {
    if (!row.deliveredAt || Number(setDelivered.run(row.deliveredAt, id).changes) === 0) return;
    if (row.counted) setCounted(id);
    else countDelivery(id, countDelivered(row.form, new Date(row.receivedAt), new Date(row.deliveredAt)));
  };
  const findKnown = db.prepare(
    'SELECT id, reference, token_hash FROM submissions WHERE token_hash IN (?, ?) OR reference IN (?, ?, ?)',
  );
  const match = (row: TransferRow) => {
    const { tokenHashes, references } = aliasesOf(row);
    return matchSubmission(row, findKnown.all(...tokenHashes, ...references) as unknown as KnownSubmission[]);
  };

  return {
    countAll: (): number => Number(db.prepare('SELECT count(*) AS n FROM submissions').get()?.n),

    /** Leases submissions that nobody is sending: they are not mailed from here until the lease ends. */
    claimForTransfer(now: Date, limit: number, leasedUntil: Date): TransferRow[] {
      const claimed = claim.all({
        until: leasedUntil.toISOString(),
        now: now.toISOString(),
        far: latestPlausible(now).toISOString(),
        limit,
      });
      return claimed.map(({ submission }) => {
        // No server does them here meanwhile.
        claimJobs.run(leasedUntil.toISOString(), Number(submission));
        return toTransferRow(find.get(Number(submission)) ?? {});
      });
    },

    /**
     * Only the submissions whose lease is still the one of this claim. What was followed up since stays: its state here is
     * later than the one that was transferred, and is transferred next.
     */
    dropTransferred: (rows: readonly TransferRow[], leasedUntil: Date): Promise<void> =>
      inTransaction(db, () => {
        for (const { reference, followedUpAt } of rows)
          drop.run(reference, leasedUntil.toISOString(), followedUpAt);
      }),

    dropUndelivered: () =>
      db.exec(
        'DELETE FROM submissions WHERE id IN (SELECT submission FROM deliveries WHERE delivered_at IS NULL)',
      ),

    /** A page of all submissions except the canary, after this id, leased or not. */
    readRows: (after: number, limit: number): TransferPage => {
      const found = readAll.all(after, limit);
      return { last: Number(found.at(-1)?.id ?? after), rows: found.map(toTransferRow) };
    },

    findUndelivered: () => readIds(db, 'delivered_at IS NULL'),
    /** A mail server may have dropped what it accepted: until somebody says that it is answered, nobody else may have it. */
    findUnanswered: () => readIds(db, 'answered_at IS NULL'),

    /** Those of the submissions with these ids that can be read. */
    readThese: (ids: readonly number[]): TransferRow[] =>
      ids.flatMap((id) => {
        for (const statement of [find, findWithoutJobs])
          try {
            return statement.all(id).map(toTransferRow);
          } catch {}
        return [];
      }),

    /**
     * Inserts the submissions that are not here yet, and resolves to how many. One that is here becomes delivered where the
     * other database has delivered it, and gets its follow-up where that is later.
     */
    importRows: (rows: readonly TransferRow[]): Promise<number> =>
      inTransaction(db, async () => {
        let count = 0;
        for (const row of rows) {
          const { same, newRow } = match(row);
          if (!same) {
            await insertRow(newRow);
            count++;
            continue;
          }
          // The other database has counted the submission, so nothing is left to count here.
          if (row.counts === '') forgetCounts.run(same.id);
          updateDelivered(row, Number(same.id));
          await saveFollowUp(query, same.id, row);
        }
        return count;
      }),
  };
}

/** In the order of the columns of `insertDelivery`. */
function stateOf(row: TransferRow) {
  const { attempts, nextAttemptAt, held, urgent, rank = 1 } = row;
  const due = [attempts, nextAttemptAt, Number(held), Number(urgent), rank] as const;
  return [
    ...due,
    row.leasedUntil,
    row.deliveredAt,
    row.parkedAt,
    row.lastError,
    Number(row.counted),
  ] as const;
}

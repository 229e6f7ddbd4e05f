import type { DatabaseSync } from 'node:sqlite';
import { latestPlausible } from '../contract/jobs.ts';
import { isBusy } from '../rows/conditions.ts';
import { createImport } from '../rows/import-rows.ts';
import { selectTransferRows } from '../rows/selects.ts';
import type { Sql } from '../rows/sql.ts';
import { type TransferPage, type TransferRow, toTransferRow } from '../rows/transfer-row.ts';
import { inTransaction } from './database-file.ts';
import { sqliteDialect } from './sqlite-sql.ts';

/** As many ids as can be read: the newest first, because the log still has these where the database was cut off. */
function readIds(db: DatabaseSync, where: string) {
  const ids: number[] = [];
  try {
    // Prepared each time: a statement that has failed gives nothing when it is asked again.
    const all = db.prepare(`SELECT id FROM submissions WHERE ${where} ORDER BY id DESC`);
    for (const { id } of all.iterate()) ids.push(Number(id));
    return { ids, isWhole: true };
  } catch {
    return { ids, isWhole: false };
  }
}

/** Transfers submissions from this file to another database, and into this file. */
export function createSqliteTransfer(db: DatabaseSync, sql: Sql) {
  const isBusyNow = isBusy(':now', ':far');
  /** A transfer is a job too, so that a submission is transferred once and not erased meanwhile. */
  const claim = db.prepare(`
    INSERT INTO jobs (kind, key, submission, due_at, leased_until)
    SELECT 'transfer', 'transfer:' || reference, id, :now, :until FROM submissions WHERE NOT ${isBusyNow} ORDER BY id LIMIT :limit
    ON CONFLICT (key) DO UPDATE SET leased_until = excluded.leased_until RETURNING submission`);
  const claimJobs = db.prepare('UPDATE jobs SET leased_until = ? WHERE submission = ?');
  const selectRows = selectTransferRows(sqliteDialect);
  const find = db.prepare(`${selectRows} WHERE s.id = ?`);
  /** The part of a damaged file that has the jobs may be lost. */
  const findWithoutJobs = db.prepare(`${selectTransferRows({ writeJobs: () => 'NULL' })} WHERE s.id = ?`);
  const readAll = db.prepare(`${selectRows} WHERE s.canary = 0 AND s.id > ? ORDER BY s.id LIMIT ?`);
  const drop = db.prepare(`
    DELETE FROM submissions WHERE reference = ? AND followed_up_at IS ? AND accepted_at IS ? AND EXISTS (
      SELECT 1 FROM jobs WHERE submission = submissions.id AND kind = 'transfer' AND leased_until = ?)`);
  return {
    countAll: (): number => Number(db.prepare('SELECT count(*) AS n FROM submissions').get()?.n),

    /** Leases submissions that nobody is sending: they are not mailed from here until the lease ends. */
    claimForTransfer: (now: Date, limit: number, leasedUntil: Date): Promise<TransferRow[]> =>
      inTransaction(db, () => {
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
      }),

    /**
     * Only the submissions whose lease is still the one of this claim. What was followed up since stays: its state here is
     * later than the one that was transferred, and is transferred next.
     */
    dropTransferred: (rows: readonly TransferRow[], leasedUntil: Date, now: Date): Promise<void> =>
      inTransaction(db, () => {
        // Another worker may have done some of their jobs since.
        if (now >= leasedUntil) return;
        for (const { reference, followedUpAt, deliveredAt } of rows)
          drop.run(reference, followedUpAt, deliveredAt, leasedUntil.toISOString());
      }),

    dropUndelivered: () => db.exec('DELETE FROM submissions WHERE accepted_at IS NULL'),

    /** A page of all submissions except the canary, after this id, leased or not. */
    readRows: (after: number, limit: number): TransferPage => {
      const found = readAll.all(after, limit);
      return { last: Number(found.at(-1)?.id ?? after), rows: found.map(toTransferRow) };
    },

    findUndelivered: () => readIds(db, 'accepted_at IS NULL'),
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

    importRows: createImport(sql),
  };
}

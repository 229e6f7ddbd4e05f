import type { DatabaseSync } from 'node:sqlite';
import type { FormName } from '../../../model/form-field.ts';
import type { Archive } from '../contract/archive.ts';
import { latestPlausible } from '../contract/jobs.ts';
import { createArchive, isUnseen } from '../rows/archive-queries.ts';
import { countConfirmed, countUnseen } from '../rows/counting.ts';
import type { Sql } from '../rows/sql.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';

/** Thrown to roll back a transaction in which nothing was erased. */
class NothingErased extends Error {}

const eraseUnseen = `
  DELETE FROM submissions WHERE reference IN (SELECT value FROM json_each($1)) AND ${isUnseen} RETURNING form`;

export function createSqliteArchive(db: DatabaseSync, sql: Sql) {
  const archive = createArchive(sql);
  // Counts outlive the submissions that are erased.
  const { countDeferred, addCounts } = prepareCounting(db);
  return {
    ...archive,
    eraseSubmissions: (references) =>
      inTransaction(db, () => {
        countDeferred(references);
        return archive.eraseSubmissions(references);
      }),

    eraseUnseen: (references, now) =>
      inTransaction(db, async () => {
        countDeferred(references);
        const { rows } = await sql.query(eraseUnseen, [references, now, latestPlausible(now)]);
        addCounts(rows.map(({ form }) => countUnseen(form as FormName, now)));
        return rows.length;
      }),

    confirmLosses: (losses) => inTransaction(db, () => addCounts(losses.map(countConfirmed))),

    async eraseOne(reference, now) {
      let outcome: Awaited<ReturnType<Archive['eraseOne']>> = 'not here';
      await inTransaction(db, async () => {
        countDeferred([reference]);
        outcome = await archive.eraseOne(reference, now);
        if (outcome !== 'erased') throw new NothingErased();
      }).catch((error) => {
        if (!(error instanceof NothingErased)) throw error;
      });
      return outcome;
    },

    // Erased rows stay readable in the log until it is emptied. Waiting for readers would hold up submissions.
    async scrub() {
      const before = Number(db.prepare('PRAGMA busy_timeout').get()?.timeout);
      db.exec('PRAGMA busy_timeout = 50');
      try {
        return Number(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy) === 0;
      } finally {
        db.exec(`PRAGMA busy_timeout = ${before}`);
      }
    },
  } satisfies Partial<Archive>;
}

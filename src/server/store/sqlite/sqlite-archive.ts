import type { DatabaseSync } from 'node:sqlite';
import type { Archive } from '../contract/archive.ts';
import { createArchive } from '../rows/archive-queries.ts';
import type { Sql } from '../rows/sql.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';

/** Thrown to roll back a transaction in which nothing was erased. */
class NothingErased extends Error {}

export function createSqliteArchive(db: DatabaseSync, sql: Sql) {
  const archive = createArchive(sql);
  // Counts outlive the submissions that are erased.
  const { countDeferred } = prepareCounting(db);
  return {
    ...archive,
    eraseSubmissions: (references) =>
      inTransaction(db, () => {
        countDeferred(references);
        return archive.eraseSubmissions(references);
      }),

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

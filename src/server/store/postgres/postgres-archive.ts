import type { Pool } from 'pg';
import type { Archive } from '../contract/archive.ts';
import { createArchive, iteratePages } from '../rows/archive-queries.ts';
import type { Sql } from '../rows/sql.ts';

/** A scrub does not wait longer than this for a long reader: submissions would queue up behind it. */
const scrubLockMs = 300;
/** A table that takes longer than this to rewrite stays as it is. Submissions wait meanwhile: less than the 6 s that a batch may take. */
const scrubMs = 2_000;
/** A larger table would not be rewritten in that time: visitors would wait every hour for nothing. */
const scrubBytes = 256 * 1024 * 1024;
const tableBytes = `SELECT pg_table_size('submissions') AS bytes`;
/** lock_not_available and query_canceled. */
const gaveUp = ['55P03', '57014'];

export function createPostgresArchive(sql: Sql, pool: Pool): Archive {
  const { readPage, ...archive } = createArchive(sql);
  return {
    ...archive,
    iterateSubmissions: (filter) => iteratePages((after) => readPage(filter, after)),

    // VACUUM alone leaves the bytes of deleted rows in pages that are still in use. FULL rewrites the table and locks
    // it meanwhile. With some hundred thousand requests it gives up: the rows are erased, but their bytes stay.
    async scrub() {
      if (Number((await sql.query(tableBytes)).rows[0]?.bytes) > scrubBytes) return false;
      const client = await pool.connect();
      try {
        // Timeouts of the database and not of the driver, which would not say why it gave up.
        await client.query(`SET lock_timeout = ${scrubLockMs}; SET statement_timeout = ${scrubMs}`);
        await client.query('VACUUM (FULL) submissions');
        return true;
      } catch (error) {
        if (gaveUp.includes((error as { code?: string }).code ?? '')) return false;
        throw error;
      } finally {
        // Closed and not reused: the next user of this connection may have to wait longer for a lock.
        client.release(true);
      }
    },
  };
}

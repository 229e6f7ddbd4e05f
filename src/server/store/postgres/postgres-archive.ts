import type { Pool, QueryResult } from 'pg';
import type { Definition } from '../../../model/form-field.ts';
import type { Archive } from '../contract/archive.ts';
import { plausibleMs } from '../contract/leases.ts';
import type { SubmissionFilter } from '../contract/submission.ts';
import {
  joinedTables,
  type PageEnd,
  pageSize,
  selectDefinitions,
  selectSubmissions,
  tablesFor,
} from '../rows/selects.ts';
import { toDate, toStoredSubmission } from '../rows/submission-row.ts';

type Query = (text: string, values: unknown[]) => Promise<QueryResult>;

const record =
  'INSERT INTO chores VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET done_at = excluded.done_at';

/** Whoever reads longer than this is let be; submissions would queue up behind a purge that waits. */
const scrubLockMs = 300;
/**
 * A table that takes longer than this to be written anew stays as it is. Visitors wait meanwhile: even behind both tables for
 * less than the time in which a form has to be kept.
 */
const scrubMs = 2_000;
/** What is larger would not be done in that time, so that visitors need not wait for nothing, every hour. */
const scrubBytes = 256 * 1024 * 1024;
const tableBytes = `SELECT pg_table_size('submissions') + pg_table_size('deliveries') AS bytes`;
/** lock_not_available and query_canceled. */
const gaveUp = ['55P03', '57014'];

/** The half of the PostgreSQL store that staff look things up in and that erases. */
export function createPostgresArchive(query: Query, pool: Pool): Archive {
  return {
    async findSubmission(reference) {
      const { rows } = await query(`${selectSubmissions} WHERE NOT s.canary AND s.reference = $1`, [
        reference,
      ]);
      return rows[0] ? toStoredSubmission(rows[0]) : null;
    },

    async *iterateSubmissions(filter) {
      const { where, values } = conditions(filter);
      const [at, id] = [`$${values.length + 1}`, `$${values.length + 2}`];
      const order = `ORDER BY s.received_at DESC, s.id DESC LIMIT ${pageSize}`;
      const first = `${selectSubmissions} ${where} ${order}`;
      const next = `${selectSubmissions} ${where} AND (s.received_at, s.id) < (${at}, ${id}) ${order}`;
      for (let last: PageEnd | null = null; ; ) {
        const asked: QueryResult = await (last
          ? query(next, [...values, last.receivedAt, last.id])
          : query(first, values));
        const page = asked.rows.map(toStoredSubmission);
        yield* page;
        if (page.length < pageSize) return;
        last = page.at(-1) ?? null;
      }
    },

    async countSubmissions(filter) {
      const { where, values } = conditions(filter);
      const sql = `SELECT count(*) AS total, count(s.sealed_answers) AS sealed ${tablesFor(filter)} ${where}`;
      const row = (await query(sql, values)).rows[0];
      return { total: Number(row.total), sealed: Number(row.sealed) };
    },

    async listDefinitions(filter) {
      const { where, values } = conditions(filter);
      const sql = selectDefinitions(`${tablesFor(filter)} ${where}`);
      return (await query(sql, values)).rows.map((row) => JSON.parse(row.definition) as Definition);
    },

    async listDelivered(until, limit, except) {
      const sql = `SELECT s.reference ${joinedTables} WHERE NOT s.canary AND v.delivered_at <= $1 AND s.reference <> ALL ($3)
        ORDER BY v.delivered_at LIMIT $2`;
      return (await query(sql, [until, limit, except])).rows.map((row) => String(row.reference));
    },

    // The delivery goes with it (ON DELETE CASCADE).
    async eraseSubmissions(references) {
      await query('DELETE FROM submissions WHERE reference = ANY ($1)', [references]);
    },

    // By the database's clock, as leases are.
    async eraseOne(reference) {
      const sql = `DELETE FROM submissions s WHERE reference = $1 AND NOT EXISTS (
        SELECT FROM deliveries v WHERE v.submission = s.id
          AND leased_until > now() AND leased_until <= now() + interval '${plausibleMs} ms')`;
      if ((await query(sql, [reference])).rowCount) return 'erased';
      const left = await query('SELECT FROM submissions WHERE reference = $1', [reference]);
      return left.rowCount ? 'busy' : 'not here';
    },

    async findTimes() {
      const done = (name: string) => `(SELECT done_at FROM chores WHERE name = '${name}')`;
      const { rows } = await query(
        `SELECT (SELECT max(received_at) FROM submissions) AS newest, ${done('erase')} AS erased, ${done('doubt')} AS doubted`,
        [],
      );
      const [{ newest, erased, doubted }] = rows as [Record<string, unknown>];
      return { newest: toDate(newest), erased: toDate(erased), doubted: toDate(doubted) };
    },

    async recordErasing(at) {
      await query(record, ['erase', at]);
      await query(`DELETE FROM chores WHERE name = 'doubt'`, []);
    },

    async recordDoubt(since) {
      await query(record, ['doubt', since]);
    },

    // VACUUM alone leaves the bytes of deleted rows in pages that are still in use; FULL writes the tables anew. It locks
    // them for that moment, so it neither waits behind a long reader nor takes long: of some hundred thousand requests it
    // gives up, and the rows stay erased.
    async scrub() {
      if (Number((await query(tableBytes, [])).rows[0].bytes) > scrubBytes) return false;
      const client = await pool.connect();
      try {
        // Given up by the database and not by the driver, which would not say why.
        await client.query(`SET lock_timeout = ${scrubLockMs}; SET statement_timeout = ${scrubMs}`);
        for (const table of ['submissions', 'deliveries']) await client.query(`VACUUM (FULL) ${table}`);
        return true;
      } catch (error) {
        if (gaveUp.includes((error as { code?: string }).code ?? '')) return false;
        throw error;
      } finally {
        // Not given back: the next user of this connection may have to wait for a lock.
        client.release(true);
      }
    },
  };
}

function conditions({ form, since, until, undelivered }: SubmissionFilter) {
  const terms = ['NOT s.canary'];
  const values: unknown[] = [];
  const add = (term: string, value: unknown) => terms.push(`${term} $${values.push(value)}`);
  if (form) add('s.form =', form);
  if (since) add('s.received_at >=', since);
  if (until) add('s.received_at <', until);
  if (undelivered) terms.push('v.delivered_at IS NULL');
  return { where: `WHERE ${terms.join(' AND ')}`, values };
}

import pg from 'pg';
import { readMigrations } from './migrations/read-migrations.ts';
import { createPostgresArchive } from './postgres-archive.ts';
import { createPostgresDeliveries } from './postgres-deliveries.ts';
import { createReference } from './reference.ts';
import { answerColumns } from './stored-submission.ts';
import {
  type Added,
  type NewSubmission,
  type Spent,
  type Store,
  StoreNotDurable,
  StoreUnavailable,
} from './submission-store.ts';

/** A connection that cannot be had in this time counts as none: the visitor's browser tries again. */
const connectMs = 2_000;
/** No query of ours takes long; one that does is stuck on a dying server. */
const queryMs = 5_000;
/** Any number, the same for every server, that names "migrating" among PostgreSQL's advisory locks. */
const migrationLock = 4_241_966;

const keepSubmission = `
  WITH kept_definition AS (
    INSERT INTO definitions (hash, form, definition) VALUES ($3, $2, $4) ON CONFLICT DO NOTHING
  ), kept AS (
    INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at)
    VALUES ($1, $2, $3, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING id, received_at
  ), kept_delivery AS (
    INSERT INTO deliveries (submission, next_attempt_at) SELECT id, received_at FROM kept
  )
  SELECT id FROM kept`;

export async function openPostgresStore(
  url: string,
  onConnectionError: (error: Error) => void,
): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    statement_timeout: queryMs,
    keepAlive: true,
  });
  // Without both handlers a restart of the database ends this process (brianc/node-postgres#2386, #2635).
  pool.on('error', onConnectionError);
  pool.on('connect', (client) => client.on('error', onConnectionError));
  try {
    await checkDurable(pool);
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }

  async function query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    try {
      return await pool.query({ text, values });
    } catch (cause) {
      throw new StoreUnavailable('PostgreSQL could not be asked', { cause });
    }
  }

  async function findByToken(tokenHash: string): Promise<Spent | null> {
    const sql = 'SELECT reference, received_at, answers_hash FROM submissions WHERE token_hash = $1';
    const row = (await query(sql, [tokenHash])).rows[0];
    if (!row) return null;
    const receipt = { reference: row.reference, receivedAt: row.received_at.toISOString() };
    return { answersHash: row.answers_hash, receipt };
  }

  async function add(submission: NewSubmission): Promise<Added> {
    const { form, answers, verdict, tokenHash, answersHash, receivedAt } = submission;
    for (;;) {
      const reference = createReference();
      const { rowCount } = await query(keepSubmission, [
        reference,
        form.name,
        form.hash,
        JSON.stringify(form.definition),
        ...answerColumns(answers),
        JSON.stringify(verdict),
        tokenHash,
        answersHash,
        receivedAt,
      ]);
      if (rowCount) return { added: true, receipt: { reference, receivedAt: receivedAt.toISOString() } };
      const spent = await findByToken(tokenHash);
      if (spent) return { added: false, spent };
      // Neither kept nor spent: the reference was taken. Draw another.
    }
  }

  return {
    ...createPostgresDeliveries(query),
    ...createPostgresArchive(query, pool),
    description: `PostgreSQL, database ${new URL(url).pathname.slice(1)} at ${new URL(url).host}`,
    add,
    findByToken,
    async checkWritable() {
      await query(
        'INSERT INTO health (id, checked_at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET checked_at = now()',
        [],
      );
    },
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}

/** PostgreSQL can be told to acknowledge before it has synced. Not for this site. */
async function checkDurable(pool: pg.Pool): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await pool.query(`SELECT current_setting('${name}') AS value`);
    if (rows[0].value === 'off')
      throw new StoreNotDurable(`PostgreSQL runs with ${name} = off and can lose committed data`);
  }
}

async function migrate(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, applied_at timestamptz NOT NULL)',
    );
    const { rows } = await client.query('SELECT coalesce(max(number), 0) AS version FROM migrations');
    for (const { number, sql } of readMigrations('postgres')) {
      if (number <= rows[0].version) continue;
      await client.query(sql);
      await client.query('INSERT INTO migrations (number, applied_at) VALUES ($1, now())', [number]);
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

import pg from 'pg';
import { type SubmissionRow, toRow } from '../kept-row.ts';
import { createReference } from '../reference.ts';
import {
  type Added,
  type NewSubmission,
  type Spent,
  type Store,
  StoreUnavailable,
  StoreUnfit,
} from '../submission-store.ts';
import { createPostgresArchive } from './archive.ts';
import { addCounts, createPostgresCounts, writeCounts } from './counts.ts';
import { createDatabaseClock } from './database-clock.ts';
import { createPostgresDeliveries } from './deliveries.ts';
import { migrate } from './migrate.ts';
import { createTakeOver } from './take-over.ts';

/** A connection that cannot be had in this time counts as none: the visitor's browser tries again. */
const connectMs = 2_000;
/** No query of ours takes long; one that does is stuck on a dying server. */
const queryMs = 5_000;
/** By which a move sees that a server still runs. */
export const applicationName = 'awhina';

const keepSubmission = `
  WITH kept_definition AS (
    INSERT INTO definitions (hash, form, definition) VALUES ($3, $2, $4) ON CONFLICT DO NOTHING
  ), kept AS (
    INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at)
    VALUES ($1, $2, $3, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING id, received_at
  ), kept_delivery AS (
    INSERT INTO deliveries (submission, next_attempt_at, held, urgent, counted)
    SELECT id, least($11::timestamptz, now() + ($11::timestamptz - received_at)), $12, $13, $14 FROM kept
  ), ${addCounts('$15', 'kept')}
  SELECT id FROM kept`;

/** All that keeping one takes, in the same tables and indexes, and gone again before the commit. */
const trial = `
  INSERT INTO definitions (hash, form, definition) VALUES ('trial', 'help', '[]') ON CONFLICT DO NOTHING;
  INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at)
    VALUES ('trial', 'help', 'trial', repeat('x', 32768), '{}', 'trial', 'trial', now());
  DELETE FROM submissions WHERE reference = 'trial';
  DELETE FROM definitions WHERE hash = 'trial';
  INSERT INTO counts VALUES ('received', 'trial', 'help', '', '', 'trial', 1, 0);
  DELETE FROM counts WHERE period = 'trial';
  INSERT INTO health (id, checked_at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET checked_at = now()`;

export interface PostgresStore extends Store {
  /** The one all servers on this database share: `proposed` where there is none yet. */
  shareSecret(name: string, proposed: string): Promise<string>;
}

export async function openPostgresStore(
  url: string,
  onConnectionError: (error: Error) => void,
  { migrates = true }: { migrates?: boolean } = {},
): Promise<PostgresStore> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
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
    await checkEncoding(pool);
    await migrate(pool, migrates);
  } catch (error) {
    await pool.end();
    throw error;
  }

  const unavailable = (cause: unknown) => {
    throw new StoreUnavailable('PostgreSQL could not be asked', { cause });
  };
  const query = (text: string, values: unknown[]): Promise<pg.QueryResult> =>
    pool.query({ text, values }).catch(unavailable);

  async function findByToken(tokenHash: string): Promise<Spent | null> {
    const sql = 'SELECT reference, received_at, answers_hash FROM submissions WHERE token_hash = $1';
    const row = (await query(sql, [tokenHash])).rows[0];
    if (!row) return null;
    const receipt = { reference: row.reference, receivedAt: row.received_at.toISOString() };
    return { answersHash: row.answers_hash, receipt };
  }

  async function add(submission: NewSubmission): Promise<Added> {
    const { form, tokenHash, receivedAt } = submission;
    const definition = JSON.stringify(form.definition);
    for (let { reference = createReference() } = submission; ; reference = createReference()) {
      const row = toRow(submission, reference);
      const { rowCount } = await query(keepSubmission, valuesOf(row, definition));
      if (rowCount) return { added: true, receipt: { reference, receivedAt: receivedAt.toISOString() } };
      const spent = await findByToken(tokenHash);
      if (spent) return { added: false, spent };
      // Neither kept nor spent: the reference was taken. Draw another.
    }
  }

  return {
    ...createPostgresDeliveries(query, createDatabaseClock(query)),
    ...createPostgresArchive(query, pool),
    ...createPostgresCounts(query, pool),
    takeOver: createTakeOver(pool),
    description: describePostgres(url),
    add,
    findByToken,
    // Several statements in one text are one transaction.
    tryKeeping: () => pool.query(trial).then(() => {}, unavailable),
    async shareSecret(name, proposed) {
      await query('INSERT INTO secrets VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, proposed]);
      return (await query('SELECT value FROM secrets WHERE name = $1', [name])).rows[0].value;
    },
    async close() {
      if (!pool.ending) await pool.end();
    },
  };
}

/** Without the user and the password. */
export function describePostgres(url: string): string {
  const { pathname, host } = new URL(url);
  return `PostgreSQL, database ${pathname.slice(1)} at ${host}`;
}

function valuesOf(row: SubmissionRow, definition: string): unknown[] {
  const { reference, form, answers, sealedAnswers, verdict, tokenHash, answersHash, receivedAt } = row;
  const columns = [answers, sealedAnswers, verdict, tokenHash, answersHash, receivedAt];
  const delivery = [row.nextAttemptAt, row.held, row.urgent, row.counted];
  return [reference, form, row.definition, definition, ...columns, ...delivery, writeCounts(row.counts)];
}

/** PostgreSQL can be told to acknowledge before it has synced. Not for this site. */
async function checkDurable(pool: pg.Pool): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await pool.query(`SELECT current_setting('${name}') AS value`);
    if (rows[0].value === 'off')
      throw new StoreUnfit(`PostgreSQL runs with ${name} = off and can lose committed data`);
  }
}

/** In any other some of what people write cannot be kept, macrons first of all. */
async function checkEncoding(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(`SELECT current_setting('server_encoding') AS value`);
  if (rows[0].value !== 'UTF8')
    throw new StoreUnfit(
      `PostgreSQL keeps this database in ${rows[0].value}. Make one with ENCODING 'UTF8': others cannot hold all that people write`,
    );
}

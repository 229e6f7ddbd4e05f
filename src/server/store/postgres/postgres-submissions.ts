import type { Pool } from 'pg';
import { StoreUnavailable } from '../contract/errors.ts';
import { createReference } from '../contract/reference.ts';
import type { SubmissionStore } from '../contract/store.ts';
import type { Added, FormVersion, Spent } from '../contract/submission.ts';
import type { Query } from '../rows/sql.ts';
import { definitionsOf, type SubmissionRow, toRow } from '../rows/submission-row.ts';
import { erasedAfter } from '../rows/time-queries.ts';
import { commit, isRolledBack, LostCommit } from './lost-commit.ts';
import { postgresDialect } from './postgres-sql.ts';

/** Answers are long, so a batch is bounded: further submissions wait for the next one. */
const batchSize = 100;

/**
 * For all steps of a batch together: a database that answers each of them late counts as away for a visitor. A form that
 * comes in behind a batch waits for two batches.
 */
const batchMs = 6_000;

/** For a second try, after the answer to the first COMMIT was lost. Both tries end before a browser gives up. */
const retryMs = 2_000;

/** The fields of a row that are stored, with their types. */
const rowFields = {
  reference: 'text',
  form: 'text',
  definition: 'text',
  answers: 'text',
  sealedAnswers: 'text',
  verdict: 'text',
  tokenHash: 'text',
  answersHash: 'text',
  receivedAt: 'timestamptz',
  urgent: 'boolean',
  rank: 'integer',
  counts: 'text',
  canary: 'boolean',
  language: 'text',
  jobs: 'text',
} satisfies { [Name in keyof SubmissionRow]?: string };
const record = Object.entries(rowFields).map(([name, type]) => `"${name}" ${type}`);

/** Sorted: two servers that insert the same forms in the same order wait for each other and never deadlock. */
const insertRows = `
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g(${record.join(', ')})
  ), new_definitions AS (
    INSERT INTO definitions (hash, form, definition)
    SELECT * FROM json_to_recordset($2::json) AS d(hash text, form text, definition text) ORDER BY hash
    ON CONFLICT DO NOTHING
  ), inserted AS (
    INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary, language, urgent, rank, counts, followed_up_at)
    SELECT reference, form, definition, answers, "sealedAnswers", verdict, "tokenHash", "answersHash", "receivedAt", canary, language, urgent, rank, counts,
      ${erasedAfter('"receivedAt"')}
    FROM given ORDER BY "tokenHash"
    ON CONFLICT DO NOTHING RETURNING id, reference, token_hash
  ), new_jobs AS (
    INSERT INTO jobs (kind, key, submission, due_at, rank)
    SELECT job.kind, job.name || ':' || inserted.reference, id, least(job.due_at, now() + (job.due_at - "receivedAt")), job.rank
    FROM inserted JOIN given ON given."tokenHash" = inserted.token_hash AND given.reference = inserted.reference
    CROSS JOIN LATERAL ${postgresDialect.readJobs('given.jobs')}
  )
  SELECT reference, token_hash FROM inserted`;

/** All writes of a submission, deleted again before the commit. Several statements in one text are one transaction. */
const trial = `
  INSERT INTO definitions (hash, form, definition) VALUES ('trial', 'help', '[]') ON CONFLICT DO NOTHING;
  INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at)
    VALUES ('trial', 'help', 'trial', repeat('x', 32768), '{}', 'trial', 'trial', now());
  INSERT INTO jobs (kind, key, submission, due_at) SELECT 'trial', 'trial', id, received_at FROM submissions WHERE reference = 'trial';
  -- The form stays: deleting it would read every submission, to see whether one refers to it.
  DELETE FROM submissions WHERE reference = 'trial';
  INSERT INTO health (id, checked_at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET checked_at = now()`;

interface Waiting {
  form: FormVersion;
  row: SubmissionRow;
  resolve: (added: Added) => void;
  reject: (error: Error) => void;
  /** The answer to an earlier COMMIT was lost. */
  mayBeStored?: boolean;
}

/** The part of the PostgreSQL store that visitors wait for. */
export function createPostgresSubmissions(
  pool: Pool,
  query: Query,
): Pick<SubmissionStore, 'add' | 'findByToken' | 'tryWrite'> {
  // Submissions that come in while the last batch is written share one transaction, and so one sync.
  const waiting: Waiting[] = [];
  let isWriting = false;

  function enqueue(one: Waiting): void {
    waiting.push(one);
    if (!isWriting) void writeBatches();
  }

  async function writeBatches(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await write(waiting.splice(0, batchSize));
    isWriting = false;
  }

  /** @param remaining the rest of a batch that is written one by one */
  async function write(batch: readonly Waiting[], remaining: Waiting[] = []): Promise<void> {
    const isRetry = batch.some(({ mayBeStored }) => mayBeStored);
    try {
      const inserted = await insertBatch(pool, batch, isRetry ? retryMs : batchMs);
      for (const one of batch) {
        const { reference, receivedAt } = one.row;
        if (inserted.has(one)) one.resolve({ added: true, receipt: { reference, receivedAt } });
        else void settleConflict(one);
      }
    } catch (cause) {
      if (cause instanceof LostCommit && !isRetry) {
        // The same rows once more, on another connection. If the first COMMIT is still running, this insert waits for it.
        return write(
          batch.map((one) => ({ ...one, mayBeStored: true })),
          remaining,
        );
      }
      const isRejected = isRolledBack(cause);
      if (isRejected && batch.length > 1) {
        // One by one: only the form that the database rejects is refused.
        const rest = [...batch];
        for (let one = rest.shift(); one; one = rest.shift()) await write([one], rest);
        return;
      }
      // A database that does not answer would let the next forms wait as long again: they are refused at once.
      const refused = isRejected ? batch : [...batch, ...remaining.splice(0), ...waiting.splice(0)];
      for (const one of refused) refuse(one, cause);
    }
  }

  function refuse({ reject, mayBeStored = false }: Waiting, cause: unknown): void {
    reject(new StoreUnavailable('PostgreSQL could not store the submission', { cause, mayBeStored }));
  }

  async function settleConflict(one: Waiting): Promise<void> {
    const { reference, answersHash, tokenHash } = one.row;
    try {
      const spent = await findByToken(tokenHash);
      // The first try stored it, and its answer was lost.
      const isOwn = spent?.receipt.reference === reference && spent.answersHash === answersHash;
      if (spent && isOwn) one.resolve({ added: true, receipt: spent.receipt });
      else if (spent) one.resolve({ added: false, spent });
      // Neither stored nor spent: the reference was taken. Draw another.
      else enqueue({ ...one, row: { ...one.row, reference: createReference() } });
    } catch (error) {
      refuse(one, error);
    }
  }

  async function findByToken(tokenHash: string): Promise<Spent | null> {
    const sql = 'SELECT reference, received_at, answers_hash FROM submissions WHERE token_hash = $1';
    const [row] = (await query(sql, [tokenHash])).rows;
    if (!row) return null;
    const receipt = { reference: String(row.reference), receivedAt: (row.received_at as Date).toISOString() };
    return { answersHash: String(row.answers_hash), receipt };
  }

  return {
    add: (submission) =>
      new Promise((resolve, reject) => {
        const row = toRow(submission, submission.reference ?? createReference());
        enqueue({ form: submission.form, row, resolve, reject });
      }),
    findByToken,
    async tryWrite() {
      await query(trial);
    },
  };
}

/** One transaction. Resolves to those that were inserted and counted; the token or the reference of the others is taken. */
async function insertBatch(pool: Pool, batch: readonly Waiting[], ms: number): Promise<Set<Waiting>> {
  const client = await pool.connect();
  let isReleased = false;
  const release = (isLost: boolean) => {
    clearTimeout(deadline);
    if (!isReleased) client.release(isLost);
    isReleased = true;
  };
  // Closing the connection fails the step that is running.
  const deadline = setTimeout(release, ms, true);
  try {
    await client.query('BEGIN');
    const rows = JSON.stringify(
      batch.map(({ row }) => row),
      Object.keys(rowFields),
    );
    const found = await client.query(insertRows, [rows, JSON.stringify(definitionsOf(batch))]);
    const inserted = findInserted(batch, found.rows);
    await commit(client);
    release(false);
    return inserted;
  } catch (error) {
    // The connection is closed and not reused, which ends the transaction in whatever state.
    release(true);
    throw error;
  }
}

/** The same form may be in a batch twice: then only one of the two was inserted. */
function findInserted(
  batch: readonly Waiting[],
  rows: readonly { reference: string; token_hash: string }[],
): Set<Waiting> {
  const unmatched = new Set(rows.map(({ reference, token_hash }) => `${reference} ${token_hash}`));
  return new Set(batch.filter(({ row }) => unmatched.delete(`${row.reference} ${row.tokenHash}`)));
}
